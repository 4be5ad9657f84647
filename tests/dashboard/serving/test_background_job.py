"""Work in the background gives its result, or raises its error, to whoever waits for it."""

import threading

import pytest

from dashboard.serving.background_job import BackgroundJob


def test_work_goes_on_while_the_caller_does_not_wait() -> None:
    released = threading.Event()
    job = BackgroundJob(lambda: released.wait(60))
    assert not job.ended(0)
    released.set()
    assert job.ended(60)
    assert job.result() is True


def test_work_is_done_in_a_thread_that_does_not_keep_the_program_alive() -> None:
    job = BackgroundJob(threading.current_thread)
    assert job.ended(60)
    assert job.result() is not threading.current_thread()
    assert job.result().daemon


@pytest.mark.parametrize("error", [ValueError("wrong"), SystemExit(3)])
def test_an_error_is_raised_where_the_result_is_asked_for(error: BaseException) -> None:
    def fail() -> None:
        raise error

    job = BackgroundJob(fail)
    assert job.ended(60)
    for _ in range(2):
        with pytest.raises(type(error)) as raised:
            job.result()
        assert raised.value is error

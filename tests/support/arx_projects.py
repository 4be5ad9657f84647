"""Small projects in the format of ARX, made for tests."""

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

ROLES = {"name": "IDENTIFYING", "age": "QUASI_IDENTIFYING", "sex": "QUASI_IDENTIFYING", "disease": "SENSITIVE"}
RECORDS = [
    ("Ann", "31", "F", "flu"),
    ("Bob", "32", "M", "flu"),
    ("Cid", "38", "M", "ulcer"),
    ("Dan", "39", "M", "cold"),
    ("Eve", "71", "F", "cold"),
]
HIERARCHIES = {
    "age": "\n".join(f"{age};{age[0]}*;*" for _, age, _, _ in RECORDS),
    "sex": "F;*\nM;*",
}
_OBJECT, _CLASS, _STRING, _ARRAY, _NULL, _END, _BLOCK = (
    bytes([code]) for code in (0x73, 0x72, 0x74, 0x75, 0x70, 0x78, 0x77)
)


def arx_project(
    criteria: Sequence[str] = ("2-anonymity",),
    *,
    without: Sequence[str] = (),
    entries: Mapping[str, str | bytes] | None = None,
    metric: str = "Loss (0.5/1.0/1.0)",
    definition: str = "",
) -> bytes:
    """The bytes of a project with five records; `entries` are added or replaced, `without` left out."""
    rows = [";".join(ROLES), *(";".join(record) for record in RECORDS)]
    assigned = "".join(
        f"<assigment><name>{name}</name><type>{kind}_ATTRIBUTE</type><datatype>String</datatype>"
        + (
            f"<ref>hierarchies/{name}.csv</ref><min>All</min><max>{1 if name == 'sex' else 'All'}</max>"
            * (name in HIERARCHIES)
        )
        + definition * (name == "age")
        + "</assigment>"
        for name, kind in ROLES.items()
    )
    texts = "".join(f"<criterion>{text.replace('<', '&lt;')}</criterion>" for text in criteria)
    weight = "<attributeWeight><attribute>age</attribute><weight>0.8</weight></attributeWeight>"
    content: dict[str, str | bytes] = {
        "data/input.csv": "\n".join(rows),
        "project.xml": "<project><name>Small</name><separator>;</separator></project>",
        "input/config.xml": "<config><suppressedAttributeTypes><type>QUASI_IDENTIFYING_ATTRIBUTE</type>"
        "</suppressedAttributeTypes><relativeMaxOutliers>0.4</relativeMaxOutliers>"
        f"<metric>{metric}</metric><attributeWeights>{weight}</attributeWeights><criteria>{texts}</criteria></config>",
        "input/definition.xml": f"<definition>{assigned}</definition>",
        "input/config.dat": configuration(None),
        **{f"input/hierarchies/{name}.csv": rows for name, rows in HIERARCHIES.items()},
        **(entries or {}),
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entry in content.items():
            if name not in without:
                archive.writestr(name, entry)
    return file.getvalue()


def with_result(records: Sequence[int] | None = None) -> bytes:
    """The project with its result: age on level 1, and Ann and Eve suppressed; `records` are the research sample."""
    made = zipfile.ZipFile(io.BytesIO(arx_project()))
    output = {
        name.replace("input/", "output/"): made.read(name) for name in made.namelist() if name.startswith("input/")
    }
    output["output/config.dat"] = configuration(records)
    output["data/output.dat"] = stream(
        block(["age", "sex"], [["3*", "7*"], ["F", "M"]], [0, 0, 0, 1, 0, 1, 0, 1, 1, 0], removed=(0, 4)),
        block([], [], [], removed=()),
    )
    return arx_project(entries=output)


def stream(*objects: bytes) -> bytes:
    """A stream of serialized objects."""
    return b"\xac\xed\x00\x05" + b"".join(objects)


def configuration(records: Sequence[int] | None) -> bytes:
    """A configuration whose criteria have the research sample, if there is one."""
    sample = (
        () if records is None else (java_object("Inclusion", subset=java_object("Subset", array=integers(records))),)
    )
    return stream(java_object("Configuration", config=java_object("Config", criteria=java_set(*sample))))


def block(
    header: Sequence[str], labels: Sequence[Sequence[str]], cells: Sequence[int], *, removed: Sequence[int]
) -> bytes:
    """The columns of a result, with the bit of suppressed records in their first cells."""
    width = len(header)
    marked = [
        cell - 2**31 if place % width == 0 and place // width in removed else cell for place, cell in enumerate(cells)
    ]
    return java_object(
        "Data",
        data=java_object("DataMatrix", columns=width, array=integers(marked)),
        dictionary=java_object(
            "Dictionary", mapping=array("[[Ljava.lang.String;", [texts(column) for column in labels])
        ),
        header=texts(header),
    )


def java_object(name: str, **fields: bytes | int) -> bytes:
    """An object of a class, with its fields; a number is an int."""
    numbers = {field: value for field, value in fields.items() if isinstance(value, int)}
    described = b"".join(b"I" + _utf(field) for field in numbers)
    described += b"".join(b"L" + _utf(field) + _STRING + _utf("LObject;") for field in fields if field not in numbers)
    values = b"".join(struct.pack(">i", value) for value in numbers.values())
    values += b"".join(value for value in fields.values() if not isinstance(value, int))
    return _OBJECT + _described(name, 2, len(fields), described) + values


def java_set(*items: bytes) -> bytes:
    """A set, which writes its items by itself."""
    return _OBJECT + _described("java.util.HashSet", 3, 0, b"") + _BLOCK + b"\x04" + bytes(4) + b"".join(items) + _END


def integers(numbers: Sequence[int]) -> bytes:
    """An array of int."""
    return _ARRAY + _described("[I", 2, 0, b"") + struct.pack(f">i{len(numbers)}i", len(numbers), *numbers)


def texts(items: Sequence[str]) -> bytes:
    """An array of String."""
    return array("[Ljava.lang.String;", [_STRING + _utf(item) for item in items])


def array(name: str, items: Sequence[bytes]) -> bytes:
    """An array of objects."""
    return _ARRAY + _described(name, 2, 0, b"") + struct.pack(">i", len(items)) + b"".join(items)


def write(folder: Path, content: bytes) -> Path:
    """A project as a file."""
    path = folder / "small.deid"
    path.write_bytes(content)
    return path


def _described(name: str, flags: int, count: int, fields: bytes) -> bytes:
    return _CLASS + _utf(name) + bytes(8) + bytes([flags]) + struct.pack(">H", count) + fields + _END + _NULL


def _utf(text: str) -> bytes:
    return struct.pack(">H", len(text.encode())) + text.encode()

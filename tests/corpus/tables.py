"""Clean tables, drawn from a seed: names and rows of text as a reader should give them back."""

# The text of other scripts is the subject here.
# ruff: noqa: RUF001

from __future__ import annotations

import random
from dataclasses import dataclass, replace

WORDS = {
    "ascii": ["Anna", "Bo Lee", "Private", "HS-grad", "x@y.org", "flu", "O'Brien", "never married", "A/B", "q"],
    "latin": ["José Pérez", "Größe", "Lefèvre", "São Paulo", "Århus", "Zoë", "naïve", "Müller", "Córdoba", "façade"],
    "traditional": ["台北市", "糖尿病", "王小明", "高中畢業", "離婚", "教師", "肺炎", "研究所", "女", "工程師"],
    "simplified": ["北京市", "糖尿病患者", "王小明", "高中毕业", "离婚", "教师", "肺炎", "研究所", "女", "工程师"],
    "japanese": [
        "東京都",
        "糖尿病です",
        "山田太郎",
        "カタカナ",
        "ひらがな",
        "教師",
        "さくら",
        "けっこん",
        "女の人",
        "学生",
    ],
    "cyrillic": ["Анна", "Москва", "Иван Петров", "Казань", "учитель", "врач", "Ольга", "грипп", "Тверь", "Фёдор"],
    "turkish": ["Ayşe", "İstanbul", "Gülşen", "Eskişehir", "öğretmen", "Çağrı", "Muğla", "kışın", "Şükrü", "Iğdır"],
    "central": ["Dvořák", "Łódź", "Kovács Győző", "żółw", "Škoda", "Čapek", "příliš", "Wałęsa", "kůň", "Brno"],
}
NAMES = {
    "ascii": ["id", "age", "city", "disease", "income", "note"],
    "latin": ["id", "âge", "cité", "größe", "salário", "año"],
    "traditional": ["編號", "年齡", "城市", "疾病", "薪資", "備考"],
    "simplified": ["编号", "年龄", "城市", "疾病", "薪资", "说明"],
    "japanese": ["番号", "年齢", "都市", "病気", "給与", "メモ"],
    "cyrillic": ["номер", "возраст", "город", "болезнь", "доход", "заметка"],
    "turkish": ["id", "yaş", "şehir", "hastalık", "gelir", "açıklama"],
    "central": ["id", "věk", "město", "nemoc", "płaca", "poznámka"],
}


@dataclass(frozen=True)
class Clean:
    """A table: names, and rows as wide as they."""

    names: list[str]
    rows: list[list[str]]

    def columns(self) -> dict[str, list[str]]:
        """The cells of every column."""
        return {name: [row[place] for row in self.rows] for place, name in enumerate(self.names)}

    def narrowed(self, place: int) -> Clean:
        """The table of one of its columns."""
        return Clean([self.names[place]], [[row[place]] for row in self.rows])

    def with_cells(self, place: int, cells: list[str]) -> Clean:
        """The table with other cells in one column."""
        rows = [[*row[:place], cell, *row[place + 1 :]] for row, cell in zip(self.rows, cells, strict=True)]
        return replace(self, rows=rows)


def table(chance: random.Random, script: str = "ascii") -> Clean:
    """A table of an id, two columns of numbers, categories and free text, some cells empty, some suppressed."""
    size = chance.randrange(6, 40)
    words = WORDS[script]
    categories, cities = chance.sample(words, 3), chance.sample(words, 5)
    rows = [
        [
            str(1000 + number),
            "*" if chance.random() < 0.05 else str(chance.randrange(17, 90)),
            chance.choice(cities),
            chance.choice(categories),
            chance.choice(["", str(chance.randrange(900, 9000)), f"{chance.random() * 1e4:.2f}"]),
            " ".join(chance.sample(words, chance.randrange(1, 4))) if chance.random() < 0.8 else "",
        ]
        for number in range(size)
    ]
    width = chance.randrange(3, 7)
    kept = sorted(chance.sample(range(6), width))
    return Clean([NAMES[script][place] for place in kept], [[row[place] for place in kept] for row in rows])

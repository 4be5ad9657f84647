"""The small tables of the seeds' pages as their papers print them, in the folders that the pages' scripts name.

`patient` is from Li et al. 2007 (doi:10.1109/ICDE.2007.367856), `delta` from Nergiz et al. 2007
(doi:10.1145/1247480.1247554).
"""

from pathlib import Path

_DISEASES = {
    "gastric ulcer": "stomach disease;digestive system disease",
    "gastritis": "stomach disease;digestive system disease",
    "flu": "respiratory infection;vascular lung disease",
    "bronchitis": "respiratory infection;vascular lung disease",
    "pneumonia": "respiratory infection;vascular lung disease",
    "stomach cancer": "stomach disease;digestive system disease",
}
_ZIP_CODES = ("47677", "47602", "47678", "47905", "47909", "47906", "47605", "47673", "47607")
_AGES = {
    "29": "[20,30[", "22": "[20,30[", "27": "[20,30[", "43": ">=40", "52": ">=40", "47": ">=40",
    "30": "[30,40[", "36": "[30,40[", "32": "[30,40[",
}  # fmt: skip
_NATIONS = {
    "USA": "America", "Canada": "America", "Brazil": "America", "Peru": "America",
    "Spain": "Europe", "Bulgaria": "Europe", "France": "Europe",
}  # fmt: skip
_ROLES = "DATASET:\n  ATTRIBUTE_TYPE:\n    QUASI_IDENTIFIER: [{}]\n    SENSITIVE_ATTRIBUTE: [{}]\n  HIERARCHY: {}\n"

_FILES = {
    "patient/patient_anonymized.csv": """\
ZIPCode;Age;Salary;Disease
4767*;<=40;3;gastric ulcer
4760*;<=40;4;gastritis
4767*;<=40;5;stomach cancer
4790*;>40;6;gastritis
4790*;>40;11;flu
4790*;>40;8;bronchitis
4760*;<=40;7;bronchitis
4767*;<=40;9;pneumonia
4760*;<=40;10;stomach cancer
""",
    "patient/patient_anonymized.yaml": _ROLES.format("ZIPCode, Age", "Disease", "patient_hierarchy"),
    "patient/patient_hierarchy/patient_hierarchy_Disease.csv": "".join(
        f"{leaf};{above};respiratory&digestive disease\n" for leaf, above in _DISEASES.items()
    ),
    "patient/patient_hierarchy/patient_hierarchy_Age.csv": "".join(
        f"{age};{above};*\n" for age, above in _AGES.items()
    ),
    "patient/patient_hierarchy/patient_hierarchy_ZIPCode.csv": "".join(
        ";".join(code[:kept].ljust(5, "*") for kept in range(5, -1, -1)) + "\n" for code in _ZIP_CODES
    ),
    "delta/delta.csv": """\
zip;age;nationality;salary-class
47906;35;USA;<=50
47903;59;Canada;<=50
47906;42;USA;<=50
47630;18;Brazil;>50
47630;22;Brazil;<=50
47633;63;Peru;<=50
48973;33;Spain;>50
48972;47;Bulgaria;>50
48970;52;France;<=50
""",
    "delta/delta_anonymized.csv": "zip;age;nationality;salary-class\n"
    + "47*;*;America;*\n" * 3
    + "48*;*;Europe;*\n" * 2,
    "delta/delta.yaml": _ROLES.format("zip, age", "nationality", "delta_hierarchy"),
    "delta/delta_anonymized.yaml": _ROLES.format("zip, age", "nationality", "delta_hierarchy"),
    "delta/delta_hierarchy/delta_hierarchy_zip.csv": "".join(
        f"{code};{code[:2]}*;*\n" for code in ("47906", "47903", "47630", "47633", "48973", "48972", "48970")
    ),
    "delta/delta_hierarchy/delta_hierarchy_age.csv": "".join(
        f"{age};*\n" for age in (35, 59, 42, 18, 22, 63, 33, 47, 52)
    ),
    "delta/delta_hierarchy/delta_hierarchy_nationality.csv": "".join(
        f"{nation};{above};*\n" for nation, above in _NATIONS.items()
    ),
    "delta/delta_hierarchy/delta_hierarchy_salary-class.csv": "<=50;*\n>50;*\n",
}


def write_seed_tables(folder: Path) -> Path:
    """The tables, hierarchies and roles as files below a folder."""
    for name, text in _FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder

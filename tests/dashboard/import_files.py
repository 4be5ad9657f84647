"""Files that raise a question, for the tests of the import dialog."""

IRIS = (
    b"5.1,3.5,1.4,0.2,Iris-setosa\n4.9,3.0,1.4,0.2,Iris-setosa\n7.0,3.2,4.7,1.4,Iris-versicolor\n"
    b"6.4,3.2,4.5,1.5,Iris-versicolor\n6.3,3.3,6.0,2.5,Iris-virginica\n5.8,2.7,5.1,1.9,Iris-virginica\n"
)
"""No line names the columns."""
IRIS_LIKE = IRIS.replace(b"5.1,3.5", b"5.0,3.4").replace(b"Iris-setosa", b"Iris-*")
"""Other records of the same form."""
PLACES = ["Jürgen Groß;Köln;31", "María Peña;Málaga;45", "Zoë Lefèvre;Orléans;28", "Anna Schmidt;Berlin;52"]
WESTERN = "\n".join(["name;city;age", *PLACES, ""]).encode("cp1252")
"""Text whose encoding cannot be proven."""
CLEAN = b"name,city,age\nAnna,Berlin,52\nMarie,Paris,31\n"
NAMES = tuple(f"column {number}" for number in range(1, 6))
"""What the columns of IRIS are called."""

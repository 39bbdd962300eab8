"""Who did what to whom in graphs of the Parallel Meaning Bank.

Roles are those of VerbNet, as the bank has them (Bos et al. 2017). Boxes are no predicates, and
the time that only says the tense of a verb is no argument.
"""

from __future__ import annotations

from amparser.notations.roles import RoleScheme

ROLES = RoleScheme(
    name=r"(?P<word>.+)\.(?P<sense>[nvar]\.\d+)",
    silent=r"""time\.n\.08 "now"|(?:"|'|[+-]?\d).*|[+-]""",
    frames="box",
    glosses=(
        (
            ".*",
            {
                "Agent": "who does it",
                "Theme": "who or what it happens to, or is about",
                "Patient": "who or what is changed by it",
                "Experiencer": "who sees, feels or knows it",
                "Stimulus": "what is seen, felt or known",
                "Time": "when",
                "Location": "where",
                "Destination": "where to",
                "Source": "where from",
                "Goal": "to what end or state",
                "Path": "along which way",
                "Recipient": "to whom",
                "Beneficiary": "for whom",
                "Instrument": "with what",
                "Manner": "how",
                "Duration": "for how long",
                "Frequency": "how often",
                "Result": "what comes of it",
                "Product": "what is made",
                "Topic": "what is talked or thought about",
                "Pivot": "who or what has, or is looked at from",
                "Causer": "what causes it",
                "Co-Theme": "what else it is about",
                "Co-Agent": "with whom",
                "Co-Patient": "what else is changed by it",
                "Asset": "for how much",
                "Value": "which number or amount",
                "Extent": "by how much",
                "Attribute": "how it is",
                "Colour": "of which colour",
                "Degree": "to which degree",
                "Quantity": "how many or how much",
                "Unit": "measured in what",
                "Role": "as what, such as a profession or a relation",
                "Of": "of whom or what",
                "Owner": "whose",
                "User": "who uses it or has it",
                "Creator": "who made it",
                "Bearer": "who or what is so",
                "Title": "with which title",
                "Content": "with what in it",
                "Part": "with which part",
                "PartOf": "part of what",
                "Sub": "among others whom or what",
                "SubOf": "out of which whole or group",
                "MadeOf": "made of what",
                "Name": "called what",
                "Participant": "who takes part",
            },
        ),
    ),
)

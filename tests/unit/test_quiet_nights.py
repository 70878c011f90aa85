"""Nights in which nothing new comes: they change nothing after the first, and summaries keep their lineage (C20)."""

from __future__ import annotations

import pytest

from hmf.memory import Level, State, Status, Tier
from hmf.policy import lineage

NIGHTLY = ("expire", "archive", "review", "summarise")
DRAWERS = ("client-projects", "article-ideas", "research-notes", "personal-preferences", "tasks")
KINDS = ("note", "fact", "decision", "constraint", "task", "hypothesis", "event", "lesson", "preference")
SUBJECTS = ["les marées", "le sel", "les lampes", "the ferries", "the bells", "les phares", "the quarry", "le verre"]
FORMS = [
    "Sur {subject} : la partie {n} compte {m} pages, relue par Anna.",
    "{subject} — never quote the source before {m} May, note {n}.",
    "Idée {n} : un reportage de {m} feuillets autour de {subject}.",
    "Interview number {n} on {subject}: the guard spoke of {m} boats.",
]


def _fill(hmf, clock, count):
    """Notes of every kind in every drawer, some with projects, tags, expiry dates, doubles and contradictions."""
    notes = [
        {
            "text": FORMS[n % len(FORMS)].format(subject=SUBJECTS[n % 8], n=n, m=3 + n * 7 % 41),
            "category": DRAWERS[n % 5],
            "kind": KINDS[n * 5 % 9],
            "project": (None, "Lumen", "Orvane", None, "Brume")[n // 5 % 5],
            "tags": ["relu"] if n % 4 == 0 else [],
            "pinned": n % 37 == 0,
            "expires_at": "2027-01-05" if n % 53 == 0 else None,
        }
        for n in range(count)
    ]
    for part in range(0, count, 20):
        list(hmf.add_many(notes[part : part + 20]))
        clock.forward(days=2)
    for text in ("Le Cèdre paie à 30 jours.", "Le Cèdre paie toujours à 45 jours, paraît-il."):
        hmf.add(text, category="client-projects", kind="fact")
    hmf.add("Anna relit les longs chapitres le jeudi matin.", category="personal-preferences", kind="note")
    hmf.add("Anna relit bien les longs chapitres le jeudi matin.", category="personal-preferences", kind="note")


def _night(hmf):
    return {job: hmf.run(job) for job in NIGHTLY}


def test_thirty_quiet_nights_change_nothing_after_the_first(hmf, clock):
    _fill(hmf, clock, 240)
    hmf.project("Lumen").finish()
    _night(hmf)
    rows = {m.id: m for m in hmf.memories(limit=None)}
    seq, plans = hmf.store.ledger.journal_seq(), {job: hmf.plan(job, file=False) for job in NIGHTLY}
    for _ in range(30):
        ran = _night(hmf)
        assert sum(one.applied for one in ran.values()) == 0
    assert hmf.store.ledger.journal_seq() == seq
    assert {m.id: m for m in hmf.memories(limit=None)} == rows
    for job in NIGHTLY:
        again = hmf.plan(job, file=False)
        assert (again.id, again.actions, again.notes) == (plans[job].id, plans[job].actions, plans[job].notes)


@pytest.mark.parametrize("language", ["fr", "en"])
def test_six_nights_make_summaries_of_originals_only_in_one_drawer_with_their_tags_and_dates(hmf, clock, language):
    close = {
        "fr": "Relire la lettre sur les pierres du canal, étape {n}, {who}.",
        "en": "Proofread the letter on the stones of the canal, step {n}, {who}.",
    }
    for n in range(8):
        for drawer, who, tag in (("client-projects", "Lumen", "client"), ("personal-preferences", "moi", "privé")):
            text = close[language].format(n=n + 1, who=who)
            values = {"tags": [tag], "valid_from": f"2025-0{n + 1}-03", "language": language, "kind": "note"}
            hmf.add(text, category=drawer, project="Lumen" if tag == "client" else None, **values)
    for _ in range(6):
        _night(hmf)
        clock.forward(days=1)
    every = {m.id: m for m in hmf.memories(limit=None)}
    found = [m for m in every.values() if m.tier is Tier.SUMMARY and m.status is not Status.SUPERSEDED]
    assert {m.category for m in found} >= {"client-projects"}
    for one in found:
        sources = [every[i] for i in one.summary_of]
        assert len(sources) >= 3
        assert all(m.tier is not Tier.SUMMARY and not m.summary_of and m.state is State.LIVE for m in sources)
        assert {m.category for m in sources} == {one.category}
        assert set(one.tags) == {tag for m in sources for tag in m.tags} != set()
        assert one.drawn.since == min(m.valid_from for m in sources)
        assert one.valid_from == max(m.valid_from for m in sources)
        assert one.valid_from.year == one.drawn.since.year == 2025
        assert not any(lineage.surer(one.status, m.status) for m in sources)
    assert len([m for m in found if m.drawn.level is not Level.CATEGORY and m.category == "client-projects"]) == 1
    assert [m for m in every.values() if m.tier is Tier.SUMMARY and m.status is Status.SUPERSEDED] == []


QUARTZ = {
    "fr": [
        "Lumen veut le plan.",
        "Lumen : rendu le 3 mai.",
        "Lumen : pas de photo.",
        "Lumen : du quartz en tête.",
    ],
    "en": ["Lumen wants an outline.", "Lumen: due on 3 May.", "Lumen: never a photo.", "Lumen: quartz on the cover."],
}


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("erased", [False, True])
@pytest.mark.parametrize("others", [1, 4])
def test_a_forgotten_word_is_in_no_tier_context_or_export_and_the_report_says_what_became_of_summaries(
    hmf, language, erased, others
):
    """C02, for the summary of a project and the overview of its drawer alike."""
    texts = QUARTZ[language][-1:] + QUARTZ[language][:-1] + [f"Lumen, note {n} : {n + 3} pages." for n in range(others)]
    ids = [hmf.add(t, category="client-projects", project="Lumen", kind="note").id for t in texts[: 2 + others]]
    for n in range(3):
        hmf.add(f"Orvane {n} : {n + 5} pages.", category="client-projects", project="Orvane", kind="note")
    hmf.run("summarise")
    saying = [m for m in hmf.memories(limit=None) if m.tier is Tier.SUMMARY and "quartz" in m.text]
    assert {m.drawn.level for m in saying} >= {Level.PROJECT}
    done = hmf.erase(ids[0]) if erased else hmf.forget([ids[0]])
    assert all(any(m.id in str(note) for note in done.notes) for m in saying)
    for m in hmf.memories(limit=None):
        assert "quartz" not in m.text
    for question in ("quartz", "Fais le point sur Lumen", "Give me an overview of Lumen"):
        found = hmf.search(question)
        assert all("quartz" not in hit.memory.text for hit in found.hits)
        assert "quartz" not in found.as_prompt()
    hmf.run("summarise")
    live = [m for m in hmf.memories(limit=None) if m.tier is Tier.SUMMARY]
    assert all("quartz" not in m.text and ids[0] not in m.summary_of for m in live if m.status is not Status.SUPERSEDED)
    if erased:
        assert all("quartz" not in line for line in hmf.export())

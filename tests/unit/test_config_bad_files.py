"""Files that must be refused, each with the place of its mistake: `¦` stands just before it, and is taken out."""

from __future__ import annotations

from pathlib import Path

import pytest

from hmf.config import load
from hmf.errors import ConfigError

RULE = "categories:\n  tasks:\n    policy:\n      stale_after: 60d\n      rules:\n        - {{{}}}\n"
TWO = "categories:\n  tasks: {}\n  ideas: {}\n"

BAD: dict[str, tuple[str, str, str]] = {
    # name: (file, key of the complaint, what it says)
    # Keys
    "key misspelt": ("¦languge: fr\n", "languge", "did you mean 'language'"),
    "key misspelt deep": ("store:\n  index:\n    ¦engin: edge\n", "store.index.engin", "did you mean 'engine'"),
    "key of nobody": (
        "categories:\n  tasks:\n    policy:\n      ¦retension_days: 7\n",
        "categories.tasks.policy.retension_days",
        "the keys here are stale_after",
    ),
    "key with dashes": ("limits:\n  ¦retire-per-add: 3\n", "limits.retire-per-add", "did you mean 'retire_per_add'"),
    "key in the wrong block": ("¦threshold: 0.5\n", "threshold", "'threshold' is a key of `routing`"),
    "policy key beside policy": (
        "categories:\n  tasks:\n    ¦stale_after: 60d\n",
        "categories.tasks.stale_after",
        "'stale_after' is a key of `categories.tasks.policy`",
    ),
    "misspelt in the wrong block": (
        "recall:\n  ¦token_budgett: 3\n  k: 3\n",
        "recall.token_budgett",
        "did you mean 'token_budget'",
    ),
    "misspelt and elsewhere": (
        "server:\n  ¦stale_afer: 3d\n",
        "server.stale_afer",
        "did you mean 'stale_after', in `defaults`",
    ),
    "top key inside a block": ("server:\n  ¦timezone: local\n", "server.timezone", "a key of `the top of the file`"),
    "key twice": ("language: fr\n¦language: en\n", "language", "already on line 1"),
    "category twice": ("categories:\n  tasks: {}\n  ¦tasks: {}\n", "categories.tasks", "already on line 2"),
    "list as key": ("¦[a, b]: 1\n", "", "a key is a word"),
    # Words and types
    "value misspelt": (
        "categories:\n  tasks:\n    policy:\n      confirm: ¦aks\n",
        "categories.tasks.policy.confirm",
        "did you mean 'ask'",
    ),
    "no as a choice": ("defaults:\n  confirm: ¦no\n", "defaults.confirm", "not one of ask, auto, never"),
    "word for a block": (
        "categories:\n  tasks:\n    policy: ¦archve\n",
        "categories.tasks.policy",
        "a block of keys is wanted: stale_after",
    ),
    "list for a block": ("store:\n  ¦- edge\n", "store", "a block of keys is wanted"),
    "list for categories": ("categories:\n  ¦- tasks\n", "categories", "a block of keys is wanted"),
    "no category": ("categories: ¦{}\n", "categories", "give at least one"),
    "word for a list": ("screening:\n  allow: ¦abc\n", "screening.allow", "write a list"),
    "word for a number": ("recall:\n  k: ¦eight\n", "recall.k", "write a whole number"),
    "number between quotes": ('recall:\n  k: ¦"8"\n', "recall.k", "write a whole number"),
    "boolean for a number": ("recall:\n  k: ¦true\n", "recall.k", "write a whole number"),
    "half a memory": ("recall:\n  k: ¦2.5\n", "recall.k", "write a whole number"),
    "number for a boolean": ("schedule:\n  enabled: ¦1\n", "schedule.enabled", "write true or false"),
    "boolean for a text": ("categories:\n  tasks:\n    label: ¦true\n", "categories.tasks.label", "a block of keys"),
    "number among texts": (
        "categories:\n  tasks:\n    examples:\n      - first\n      - ¦12\n",
        "categories.tasks.examples[1]",
        "between quotes",
    ),
    "boolean among texts": (
        "categories:\n  tasks:\n    examples: [first, ¦true]\n",
        "categories.tasks.examples[1]",
        "between quotes",
    ),
    "blank text": ("categories:\n  tasks:\n    examples:\n      - ¦''\n", "categories.tasks.examples[0]", "is blank"),
    "empty value": ("recall:\n  ¦k:\n", "recall.k", "is empty"),
    "text without an end": ('namespace: ¦"a\\0b"\n', "namespace", "NUL"),
    "half a character": ('inbox: ¦"\\ud800"\n', "inbox", "half a character"),
    "third language": ("categories:\n  tasks:\n    label: {¦de: Aufgaben}\n", "categories.tasks.label.de", "fr, en"),
    # Numbers
    "octal": ("server:\n  port: ¦07391\n", "server.port", "read differently"),
    "octal of YAML 1.2": ("server:\n  port: ¦0o17\n", "server.port", "read differently"),
    "hexadecimal": ("server:\n  port: ¦0x1CDF\n", "server.port", "read differently"),
    "underscores": ("screening:\n  max_chars: ¦1_000\n", "screening.max_chars", "read differently"),
    "infinity": ("recall:\n  min_score: ¦.inf\n", "recall.min_score", "read differently"),
    "comma for a point": ("routing:\n  threshold: ¦0,5\n", "routing.threshold", "write a number"),
    "share over 1": ("routing:\n  threshold: ¦1.2\n", "routing.threshold", "1 or less"),
    "percent": ("defaults:\n  max_share_per_run: ¦30\n", "defaults.max_share_per_run", "1 or less"),
    "share of nothing": ("defaults:\n  max_share_per_run: ¦0\n", "defaults.max_share_per_run", "more than 0"),
    "negative": ("recall:\n  min_score: ¦-0.1\n", "recall.min_score", "0 or more"),
    "weight over 1": ("recall:\n  dense_weight: ¦2\n", "recall.dense_weight", "neither auto nor a number"),
    "weight as boolean": ("recall:\n  dense_weight: ¦yes\n", "recall.dense_weight", "neither auto nor a number"),
    "huge number": ("recall:\n  k: ¦99999999999999999999999\n", "recall.k", "write a whole number"),
    "fewer candidates than answers": ("recall:\n  k: 20\n  candidates: ¦10\n", "recall.candidates", "less than k"),
    "port out of reach": ("server:\n  port: ¦70000\n", "server.port", "65535 or less"),
    # Durations and times
    "bare number": ("defaults:\n  stale_after: ¦60\n", "defaults.stale_after", "write 60d"),
    "bare number between quotes": ('defaults:\n  stale_after: ¦"60"\n', "defaults.stale_after", "60d"),
    "m": ("defaults:\n  stale_after: ¦3m\n", "defaults.stale_after", "write `mo` for months"),
    "no time at all": ("defaults:\n  stale_after: ¦0d\n", "defaults.stale_after", "not a duration"),
    "negative duration": ("defaults:\n  expire_after: ¦-3d\n", "defaults.expire_after", "not a duration"),
    "time as duration": ("defaults:\n  stale_after: ¦3:30\n", "defaults.stale_after", "not a duration"),
    "date as duration": ("defaults:\n  stale_after: ¦2026-03-01\n", "defaults.stale_after", "not a duration"),
    "boolean as duration": ("defaults:\n  stale_after: ¦false\n", "defaults.stale_after", "not a duration"),
    "list as duration": ("defaults:\n  grace: ¦[30d]\n", "defaults.grace", "not a duration"),
    "never where a time must be": ("defaults:\n  grace: ¦never\n", "defaults.grace", "not a duration"),
    "word as duration": ("schedule:\n  retry_after: ¦soon\n", "schedule.retry_after", "not a duration"),
    "bare seconds": ("store:\n  flush_every: ¦2\n", "store.flush_every", "write 2s"),
    "m as seconds": ("store:\n  flush_every: ¦2m\n", "store.flush_every", "write `min`"),
    "no seconds": ("store:\n  index: {timeout: ¦0s}\n", "store.index.timeout", "out of reach"),
    "never quiet": ("store:\n  flush_every: ¦99999h\n", "store.flush_every", "out of reach"),
    # Schedules
    "time as schedule": ("schedule:\n  jobs:\n    review: ¦3:30\n", "schedule.jobs.review", '"30 3 * * *"'),
    "number as schedule": ("schedule:\n  jobs:\n    review: ¦3\n", "schedule.jobs.review", "between quotes"),
    "boolean as schedule": ("schedule:\n  jobs:\n    review: ¦yes\n", "schedule.jobs.review", "not five cron fields"),
    "six fields": ('schedule:\n  jobs:\n    review: ¦"0 30 3 * * *"\n', "schedule.jobs.review", "five cron fields"),
    "nickname": ('schedule:\n  jobs:\n    review: ¦"@daily"\n', "schedule.jobs.review", "five cron fields"),
    "minute 61": ('schedule:\n  jobs:\n    review: ¦"61 3 * * *"\n', "schedule.jobs.review", "not a possible schedule"),
    "hour 24": ('schedule:\n  jobs:\n    review: ¦"0 24 * * *"\n', "schedule.jobs.review", "not a possible schedule"),
    "31 February": ('schedule:\n  jobs:\n    review: ¦"0 3 31 2 *"\n', "schedule.jobs.review", "never comes"),
    "31 in short months": ('schedule:\n  jobs:\n    review: ¦"0 3 31 4,6 *"\n', "schedule.jobs.review", "never comes"),
    "numbered weekdays": ('schedule:\n  jobs:\n    review: ¦"0 3 * * 1-5"\n', "schedule.jobs.review", "mon-fri"),
    "day and weekday": (
        'schedule:\n  jobs:\n    review: ¦"0 3 1 * mon"\n',
        "schedule.jobs.review",
        "set one of the two",
    ),
    "job of nobody": (
        'schedule:\n  jobs:\n    ¦arhive: "0 3 * * *"\n',
        "schedule.jobs.arhive",
        "did you mean 'archive'",
    ),
    "zone misspelt": ("timezone: ¦Europe/Pari\n", "timezone", "did you mean 'Europe/Paris'"),
    "zone without capitals": ("timezone: ¦europe/paris\n", "timezone", "did you mean 'Europe/Paris'"),
    "zone as a path": ("timezone: ¦../../etc/passwd\n", "timezone", "IANA name"),
    # Categories
    "inbox of nowhere": ("inbox: ¦imbox\n", "inbox", "did you mean 'inbox'"),
    "archive of nowhere": (
        TWO + "  old:\n    policy: {stale_after: 60d, archive_to: ¦idees}\n",
        "categories.old.policy.archive_to",
        "did you mean 'ideas'",
    ),
    "archive in itself": (
        "categories:\n  tasks:\n    policy: {stale_after: 60d, archive_to: ¦tasks}\n",
        "categories.tasks.policy.archive_to",
        "tasks → tasks",
    ),
    "default archive in itself": (
        "defaults: {stale_after: 60d, archive_to: ¦tasks}\n" + TWO,
        "defaults.archive_to",
        "tasks → tasks",
    ),
    "archive that never acts": (
        TWO + "  old:\n    policy: {¦archive_to: ideas}\n",
        "categories.old.policy.archive_to",
        "without `stale_after`",
    ),
    "expires before it is stale": (
        "categories:\n  tasks:\n    policy: {stale_after: 60d, expire_after: ¦1mo}\n",
        "categories.tasks.policy.expire_after",
        "nothing would ever be archived",
    ),
    "expires when it is stale": (
        "categories:\n  tasks:\n    policy: {stale_after: 12mo, expire_after: ¦1y}\n",
        "categories.tasks.policy.expire_after",
        "nothing would ever be archived",
    ),
    "expires by inheritance": (
        "defaults: {expire_after: ¦2w}\ncategories:\n  tasks:\n    policy: {stale_after: 60d}\n",
        "defaults.expire_after",
        "nothing would ever be archived",
    ),
    "policy that keeps all": (
        "categories:\n  tasks:\n    policy:\n      expire_after: 2w\n      keep:\n        kinds: ¦[fact, preference, "
        "decision, constraint, task, event, note, hypothesis, lesson]\n",
        "categories.tasks.policy.keep.kinds",
        "can never act",
    ),
    "finished rule that keeps all": (
        "projects:\n  on_finished:\n    keep: ¦[fact, preference, decision, constraint, task, event, note, hypothesis, "
        "lesson]\n",
        "projects.on_finished.keep",
        "can never act",
    ),
    "touched by nothing": ("defaults: {touched_by: ¦[]}\n", "defaults.touched_by", "at least one"),
    "touched by recall": ("defaults: {touched_by: [¦recalled]}\n", "defaults.touched_by[0]", "valid, learnt, verified"),
    "kind misspelt": ("defaults: {keep: {kinds: [¦decisions]}}\n", "defaults.keep.kinds[0]", "did you mean 'decision'"),
    "kept kinds as they were written": (
        "defaults: {¦keep_kinds: [decision]}\n",
        "defaults.keep_kinds",
        "`keep: {kinds: […]}`",
    ),
    "kept tags as they were written": (
        "categories:\n  tasks:\n    policy: {¦keep_tags: [gold]}\n",
        "categories.tasks.policy.keep_tags",
        "`keep: {tags: […]}`",
    ),
    "fewer than none": ("defaults: {keep: {last: ¦-1}}\n", "defaults.keep.last", "0 or more"),
    "last in a rule": (
        RULE.format("when: {kinds: [note]}, keep: {¦last: 3}"),
        "categories.tasks.policy.rules[0].keep.last",
        "is a key of `categories.tasks.policy.keep`",
    ),
    "last where nothing goes by age": (
        "categories:\n  tasks:\n    policy: {keep: {¦last: 3}}\n",
        "categories.tasks.policy.keep.last",
        "nothing goes by age here",
    ),
    "touched where nothing goes by age": (
        "categories:\n  tasks:\n    policy: {¦touched_by: [learnt]}\n",
        "categories.tasks.policy.touched_by",
        "nothing goes by age here",
    ),
    "expires within the day": (
        "categories:\n  tasks:\n    policy: {expire_after: ¦23h}\n",
        "categories.tasks.policy.expire_after",
        "`max_share_per_run: 1`",
    ),
    "stale within the day by a rule for all categories": (
        "defaults:\n  rules:\n    - {when: {kinds: [note]}, stale_after: ¦2h}\n",
        "defaults.rules[0].stale_after",
        "would empty the category every night",
    ),
    "rule about everything": (
        RULE.replace("- {{", "- ¦{{").format("confirm: auto"),
        "categories.tasks.policy.rules[0]",
        "say which in `when`",
    ),
    "rule of an empty condition": (
        RULE.replace("- {{", "- ¦{{").format("when: {kinds: []}, confirm: auto"),
        "categories.tasks.policy.rules[0]",
        "holds for every memory",
    ),
    "rule that changes nothing": (
        RULE.replace("- {{", "- ¦{{").format("when: {kinds: [note]}"),
        "categories.tasks.policy.rules[0]",
        "changes nothing",
    ),
    "rule behind a wider one": (
        RULE.format("when: {kinds: [note, fact]}, confirm: auto")
        + "        - ¦{when: {kinds: [note], languages: [fr]}, confirm: never}\n",
        "categories.tasks.policy.rules[1]",
        "rule 1 fits all of these",
    ),
    "rule of a kind unknown": (
        RULE.format("when: {kinds: [¦notes]}, confirm: auto"),
        "categories.tasks.policy.rules[0].when.kinds[0]",
        "did you mean 'note'",
    ),
    "rule of a language in full": (
        RULE.format("when: {languages: [¦french]}, confirm: auto"),
        "categories.tasks.policy.rules[0].when.languages[0]",
        "write fr, en",
    ),
    "rule with the grace of the category": (
        RULE.format("when: {kinds: [note]}, ¦grace: 3d"),
        "categories.tasks.policy.rules[0].grace",
        "'grace' is a key of `categories.tasks.policy`",
    ),
    "rule that archives nowhere": (
        RULE.format("when: {kinds: [note]}, archive_to: ¦idees"),
        "categories.tasks.policy.rules[0].archive_to",
        "there is no category",
    ),
    "rule that archives in a circle": (
        "categories:\n  tasks:\n    policy:\n      rules:\n"
        "        - {when: {kinds: [note]}, stale_after: 60d, archive_to: ¦tasks}\n",
        "categories.tasks.policy.rules[0].archive_to",
        "tasks → tasks",
    ),
    "rule that archives what is never stale": (
        "categories:\n  old: {}\n  tasks:\n    policy:\n      rules:\n"
        "        - {when: {kinds: [note]}, ¦archive_to: old}\n",
        "categories.tasks.policy.rules[0].archive_to",
        "without `stale_after`",
    ),
    "rule that expires before it is stale": (
        RULE.format("when: {kinds: [note]}, expire_after: ¦30d"),
        "categories.tasks.policy.rules[0].expire_after",
        "nothing would ever be archived",
    ),
    "pinned that may go": (
        "defaults: {keep: {pinned: ¦false}}\n",
        "defaults.keep.pinned",
        "unpin the ones that may go",
    ),
    "rule misspelt": (
        "categories:\n  tasks:\n    rules:\n      - ¦word: [todo]\n",
        "categories.tasks.rules[0].word",
        "did you mean 'words'",
    ),
    "rule that does not compile": (
        "categories:\n  tasks:\n    rules:\n      - pattern: ¦'(todo'\n",
        "categories.tasks.rules[0].pattern",
        "not a regular expression",
    ),
    "rule of another Python": (
        "categories:\n  tasks:\n    rules:\n      - pattern: ¦'[[a]'\n",
        "categories.tasks.rules[0].pattern",
        "not a regular expression",
    ),
    "allowing everything": ("screening:\n  allow: [¦'.*']\n", "screening.allow[0]", "matches everything"),
    # Secrets and services
    "key in the file": ("embedder:\n  ¦api_key: sk-abc123\n", "embedder.api_key", "`api_key_env` or `api_key_file`"),
    "token in the file": ("server:\n  ¦token: abc123\n", "server.token", "no key or password is written"),
    "key instead of its name": (
        "embedder: {name: openai, model: m, dimension: 3, api_key_env: ¦sk-abc123}\n",
        "embedder.api_key_env",
        "not the name of an environment variable",
    ),
    "key twice named": (
        "embedder: {name: openai, model: m, dimension: 3, api_key_env: KEY, ¦api_key_file: /k}\n",
        "embedder.api_key_file",
        "keep one of the two",
    ),
    "key file of anywhere": (
        "embedder: {name: openai, model: m, dimension: 3, api_key_file: ¦key.txt}\n",
        "embedder.api_key_file",
        "depends on the folder",
    ),
    "password in an address": (
        "store: {index: {engine: qdrant, url: ¦'https://me:abc123@host'}}\n",
        "store.index.url",
        "holds a password",
    ),
    "server without an address": ("store:\n  index:\n    engine: ¦qdrant\n", "store.index.engine", "add `url`"),
    "address without a server": (
        "store: {index: {¦url: 'http://localhost:6333'}}\n",
        "store.index.url",
        "no effect with `engine: edge`",
    ),
    "address without a scheme": (
        "store: {index: {engine: qdrant, url: ¦'localhost:6333'}}\n",
        "store.index.url",
        "not a web address",
    ),
    "embedder without a model": ("embedder:\n  name: ¦openai\n", "embedder.name", "needs `model` and `dimension`"),
    "endpoint of nobody": ("embedder: {¦base_url: 'http://localhost'}\n", "embedder.base_url", "no effect"),
    "database of anywhere": ("store: {ledger: ¦'sqlite:///hmf.db'}\n", "store.ledger", "depends on the folder"),
    "database of another kind": ("store: {ledger: ¦'mysql://host/hmf'}\n", "store.ledger", "use sqlite or postgresql"),
    "no database": ("store: {ledger: ¦ledger.db}\n", "store.ledger", "neither auto nor a database URL"),
    "address as host": ("server: {host: ¦'http://127.0.0.1'}\n", "server.host", "not a host"),
    # The file itself
    "tab": ("store:\n¦\tledger: auto\n", "", "a tab"),
    "not closed": ("store: {ledger: auto\n¦", "", "not YAML"),
    "colon in a text": (
        "categories:\n  tasks:\n    examples:\n      - fine\n    description: Brief¦: what the client wants\n",
        "",
        "not YAML",
    ),
    "two documents": ("version: 1\n¦---\nversion: 1\n", "", "not YAML"),
    "alias of nothing": ("store: ¦*here\n", "", "not YAML"),
    "alias in itself": ("store: &here\n  ¦index: *here\n", "store.index", "leads back into itself"),
    "tag": ("store: ¦!!python/name:os.system {}\n", "store", "is not used here"),
    "a word alone": ("¦hello\n", "", "must hold keys"),
    "a list alone": ("¦- hello\n", "", "must hold keys"),
    "empty": ("¦", "", "the file is empty"),
    "comments alone": ("¦# nothing yet\n", "", "the file is empty"),
    "control character": ("language: f¦\x01r\n", "", "U+0001 is not allowed"),
    "version of the future": ("version: ¦2\nnew_key: 3\n", "version", "newer HMF"),
    "version nought": ("version: ¦0\n", "version", "1 or more"),
    "version in words": ("version: ¦one\n", "version", "whole number"),
}


@pytest.mark.parametrize("name", BAD)
def test_is_refused_at_its_place(name: str, tmp_path: Path) -> None:
    marked, key, says = BAD[name]
    text, line, column = taken_out(marked)
    problems = refusal(tmp_path, text.encode())
    start = f"{tmp_path / 'hmf.yaml'}:{line}:{column}: {key}"
    assert len(problems) == 1, problems
    assert problems[0].startswith(start + ": " if key else start)
    assert says in problems[0]
    assert "abc123" not in problems[0]


def taken_out(marked: str) -> tuple[str, int, int]:
    """The text without its mark, and the line and column where the mark stood."""
    before, after = marked.split("¦")
    return before + after, before.count("\n") + 1, len(before.rsplit("\n", 1)[-1]) + 1


def refusal(folder: Path, raw: bytes) -> tuple[str, ...]:
    file = folder / "hmf.yaml"
    file.write_bytes(raw)
    with pytest.raises(ConfigError) as caught:
        load(file, environ={})
    assert all(problem in str(caught.value) for problem in caught.value.problems)
    return caught.value.problems

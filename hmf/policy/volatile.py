"""Facts that wear out: prices, rates, counts, opening hours, what is so "at the moment". French and English.

A rule needs two things to agree: a value or a state that changes by itself, and wording in the present. What was
agreed, paid, planned or happened at a date stays true, so such wording keeps a text out whatever else it says.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from hmf.durations import Duration
from hmf.memory import Kind
from hmf.policy.folding import fold


@dataclass(frozen=True, slots=True)
class Volatile:
    """How long such a fact may be taken as current once learnt or verified, and which rule says so."""

    fresh_for: Duration
    reason: str


DEFAULT = Duration(months=1)
"""For what is so at the moment."""

_LASTING = frozenset({Kind.DECISION, Kind.CONSTRAINT, Kind.PREFERENCE, Kind.EVENT, Kind.TASK, Kind.LESSON})
_HEAD = 600  # characters; a long note with one price in it is not an observation of that price

_MONEY = (
    r"(?:\d[\d .,']*\s?(?:€|\$|£|euros?|eur|dollars?|usd|pounds?|gbp|livres sterling|cents|centimes|k€|chf|francs?)"
    r"(?![a-z])|[€$£]\s?\d)"
)
_PER = (
    r"(?:/\s?(?:mois|month|an|year|h|mot|word|page|feuillet|jour|day)\b|\b(?:par|per|le|la|l'|a|an|each)\s?"
    r"(?:mois|an|annee|jour|heure|semaine|mot|page|feuillet|signe|nuit|mille|month|year|day|hour|week|word|night|"
    r"article|piece|seat|user|utilisateur|poste)\b)"
)
_SEEN = (
    r"\b(?:vue?s?|relevee?s?|affichee?s?|constatee?s?|d'apres|selon|sur) (?:ce jour|aujourd'hui|ce matin|"
    r"le site|leur (?:page|site)|la page|hier|en ligne)|\b(?:seen|listed|shown|as of|according to|checked) "
    r"(?:today|on (?:the|their)|at|online|this|the site|their)"
)
_NOW = (
    r"\b(?:actuellement|en ce moment|a l'heure actuelle|pour l'instant|pour le moment|a ce jour|ces jours-ci|"
    r"currently|at the moment|right now|at present|for now|these days|as of (?:today|now))\b"
)
# Agreed, billed, paid, or a budget: facts about a deal and not about the market. Read with their accents, for "paye" is
# what a magazine does and "payé" is done.
_SETTLED = re.compile(
    r"\b(?:contrats?|convenue?s?|négociée?s?|accord|signée?s?|devis|budget|à-valoir|avenant|payée?s?|facturée?s?|"
    r"factures?|"
    r"réglée?s?|achetée?s?|versée?s?|encaissée?s?|dépensée?s?|remboursée?s?|vendue?s? (?:à|pour)|a coûté|gagnée?s?|"
    r"plafond|"
    r"contract|agreed|negotiated|signed|quote|quoted|budget|advance|fee of|paid|invoiced?|invoices|billed|bought|"
    r"sold for|"
    r"spent|refunded|received|earned|cost us|cost me|won|capped)\b"
)
_PAST = re.compile(
    r"\b(?:en|in|de|of|depuis|since|fin|debut|by|vers|circa) (?:1\d{3}|20[01]\d|202[0-9])\b|"
    r"\b(?:etait|etaient|avait|avaient|fut|furent|comptait|coutait|siecle|autrefois|jadis|a l'epoque|"
    r"was|were|had|century|formerly|back then|at the time)\b"
)
_STORY = re.compile(
    r"\b(?:roman|nouvelle|heros|heroine|narrat(?:eur|rice)|personnages?|intrigue|scene|dialogue|"
    r"novel|short story|hero|narrator|characters?|protagonist|plot)\b"
)
_BRIEF = re.compile(
    r"\b(?:maximum|minimum|au plus|au moins|limite|longueur|objectif|cible|consigne|livrer|remettre|rendre|"
    r"at most|at least|limit|length|target|goal|brief|word count|due|deadline)\b"
)


@dataclass(frozen=True, slots=True)
class _Rule:
    reason: str
    fresh_for: Duration
    pattern: re.Pattern[str]


_RULES = (
    _Rule(
        "availability",
        Duration(weeks=1),
        re.compile(
            r"\b(?:est|sont|suis|sera|is|are|am|will be) (?:\w+ ){0,2}?(?:en conges?|en vacances|absente?s?|"
            r"indisponibles?|"
            r"disponibles?|injoignables?|joignables?|en deplacement|en arret|malade|debordee?s?|occupee?s?|"
            r"on leave|on holiday|away|out of (?:the )?office|unavailable|available|busy|off sick|overloaded|"
            r"fully booked)\b|"
            r"\b(?:away|off|out) (?:\w+ ){0,4}?(?:until|till|this week)\b|"
            r"\b(?:absente?s?|en conges?|en vacances|en deplacement) (?:[\w'-]+ ){0,4}?"
            r"(?:jusqu|cette semaine|du \d)"
        ),
    ),
    _Rule(
        "status",
        Duration(weeks=2),
        re.compile(
            r"\b(?:est|sont|reste|is|are|remains) (?:\w+ ){0,2}?(?:en cours|en pause|en attente|a l'arret|"
            r"en relecture|en panne|"
            r"bloquee?s?|suspendue?s?|presque (?:finie?s?|terminee?s?)|in progress|on hold|pending|stalled|"
            r"blocked|paused|"
            r"under review|nearly (?:done|finished)|almost (?:done|finished)|down|out of order)\b|"
            r"\b(?:avancee?|termine|fini|done|complete) a \d{1,3} ?%|\b\d{1,3} ?% (?:done|complete|finished|fait|"
            r"termine)|"
            r"\b(?:statut|etat d'avancement|avancement|status) ?: "
        ),
    ),
    _Rule(
        "count",
        Duration(weeks=2),
        re.compile(
            r"\d[\d .,']*(?:k|m)? ?(?:abonne(?:e|s|es)|followers?|subscribers?|lecteurs inscrits|membres|members|"
            r"inscrits|"
            r"vues|views|likes|mentions j'aime|etoiles|stars|telechargements|downloads|exemplaires (?:en stock|"
            r"restants)|"
            r"copies (?:left|in stock)|places? (?:restantes?|libres?)|(?:seats|places|tickets) left|visiteurs par|"
            r"visitors (?:a|per))\b|\b(?:il (?:en )?reste|restent|there (?:is|are)(?: only)?|only) \d+ ?(?:\w+ ){0,2}"
            r"(?:en stock|in stock|left|disponibles?|available)\b|\b(?:en rupture|out of stock|sold out|en stock|"
            r"in stock)\b"
        ),
    ),
    _Rule(
        "hours",
        Duration(months=6),
        re.compile(
            r"\b(?:ouvre|ferme|ouverte?s?|fermee?s?|opens?|closes?|open|closed)\b.{0,40}?"
            r"(?:\b\d{1,2} ?(?:h|:|am|pm)|\b(?:le|les|tous les|chaque|on|every) ?(?:lundi|mardi|mercredi|jeudi|"
            r"vendredi|samedi|"
            r"dimanche|monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?\b)"
        ),
    ),
    _Rule(
        "rate",
        Duration(months=6),
        re.compile(
            r"\b(?:taux|inflation|cours (?:de|du)|indice|tva|cotisations?|(?:interest|exchange|tax|mortgage|vat|"
            r"contribution|"
            r"conversion|open) rates?|vat|rates? (?:is|are|of))\b.{0,60}?\d"
        ),
    ),
    _Rule(
        "price",
        Duration(months=3),
        re.compile(
            r"\b(?:prix|tarifs?|abonnement|forfait|loyer|cotisation|billets?|coute(?:nt)?|vaut|valent|paie(?:nt)?|"
            r"paye(?:nt)?|"
            r"remunere(?:nt)?|facture(?:nt)? (?=\d)|price[ds]?|fares?|rates?|costs?|pays?|charges?|subscription|plan|"
            rf"tickets?|rent|fees?|membership)\b.{{0,80}}?{_MONEY}|{_MONEY}.{{0,20}}?{_PER}|"
            rf"{_MONEY}.{{0,40}}?(?:{_SEEN})|"
            rf"(?:est|sont|passee?s?|monte|is now|are now|went up|rises?|goes) (?:\w+ ){{0,3}}?(?:a |to |at )?{_MONEY}"
        ),
    ),
    _Rule("now", DEFAULT, re.compile(_NOW)),
)


PASSING = frozenset({"availability", "status", "now"})
"""Reasons of what is a state and not a figure: it is over at the time that the text itself gives."""


def volatility(text: str, language: str, kind: Kind) -> Volatile | None:
    """Whether the text states something that changes by itself, and how long it may be trusted; None when it lasts.

    Decisions, constraints, preferences, events, tasks and lessons last by their kind. Both languages' rules are
    tried whatever `language` is, for notes mix them; it only keeps texts of a third language out.
    """
    if kind in _LASTING or language not in ("fr", "en"):
        return None
    head = fold(text[:_HEAD])
    if _SETTLED.search(unicodedata.normalize("NFC", text[:_HEAD]).casefold()):
        return None
    if any(pattern.search(head) for pattern in (_PAST, _STORY, _BRIEF)):
        return None
    for rule in _RULES:
        if rule.pattern.search(head):
            return Volatile(rule.fresh_for, rule.reason)
    return None

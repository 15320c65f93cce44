"""Slips of spelling, lost diacritics and other words, in fifteen languages."""

# ruff: noqa: E501

from __future__ import annotations

import subprocess
import sys

import pytest

from citeguard import Sources, locate

# A sentence of each language with a gap for a word.
FRAMES = {
    "de": "Nach den Angaben des Berichts ist {} in diesem Jahr und auch im nächsten nicht zu erwarten.",
    "fr": "Selon les auteurs du rapport, il est {} dans cette ville avec les autres habitants.",
    "es": "Según los autores del informe, en esta ciudad es {} con los demás vecinos de la zona.",
    "it": "Secondo gli autori della relazione, in questa città è {} con gli altri abitanti della zona.",
    "pt": "Segundo os autores do relatório, nesta cidade é {} com os outros moradores da zona, não só hoje.",
    "nl": "Volgens de schrijvers van het rapport is het in deze stad {} met de andere bewoners van de wijk.",
    "ro": "Potrivit autorilor raportului, în acest oraș este {} cu ceilalți locuitori din zonă și nu numai.",
    "pl": "Zdaniem autorów raportu w tym mieście jest {} z innymi mieszkańcami, którzy się tu przenieśli.",
    "tr": "Raporun yazarlarına göre bu şehirde {} ile diğer insanlar için çok önemli bir konu olarak görülüyor.",
    "ru": "По словам авторов отчёта, в этом городе {} с другими жителями, которые здесь живут уже давно.",
    "uk": "За словами авторів звіту, у цьому місті {} з іншими мешканцями, які тут живуть уже давно.",
    "el": "Σύμφωνα με τους συντάκτες της έκθεσης, στην πόλη αυτή είναι {} με τους άλλους κατοίκους.",
}

# Words and slips for them: transposed, doubled, misread and lost letters.
SLIPS = {
    "de": "schreiben schriebn|gesprochen gesprcohen|zwischen zwischhen|arbeiten arbeitcn|wichtig wihctig|möglich mögilch|bezahlen bezahlcn|verkaufen verkaufeu|geschlossen geschlosscn|plötzlich plötlzich|erforderlich erfroderlich|schließlich schließilch",
    "fr": "important improtant|maintenant maintcnant|plusieurs plusiuers|toujours tuojours|nouveau nouvaeu|gouvernement gouvernemcnt|beaucoup beaucuop|possible posssible|longtemps longtcmps|différent difféernt|quelque qeulque|semaine semaiine",
    "es": "importante improtante|siempre siempere|desarrollo desarrolllo|trabajo trabjao|gobierno gobiemo|nuevo nuveo|tiempo tiepmo|pueblo puelbo|ninguno niguuno|problema probelma|manzana manzzana|izquierda izqiuerda",
    "it": "importante imporatnte|sempre semrpe|governo govenro|quando qunado|problema probelma|settimana settimnaa|qualche qaulche|lavoro lavvoro|possibile possibbile|quindici quinidci|bicchiere biccchiere|subito subtio",
    "pt": "importante improtante|governo govemo|trabalho trablaho|problema probelma|sempre semrpe|tempo tepmo|conjunto conjutno|brasileiro brasielrio|quando qunado|cidade cidadde|mulher muhler|empresa emrpesa",
    "nl": "belangrijk belangrjik|altijd altjid|waarschijnlijk waarschijnljik|gemeente gemeennte|regering regernig|mogelijk mogeiljk|gebouwd gebouwwd|vrijwel vrijwcl|voorbeeld voorbeedl|schrijven schrjiven",
    "ro": "important improtant|întotdeauna întotdeaunna|guvern guvren|problemă probelmă|oameni oaemni|trebuie trebiue|astăzi astzăi|cuvânt cuvânnt|necesar necsear|următor urmtăor",
    "pl": "ważny wazżny|szczególnie szczgeólnie|wszystko wszytsko|zawsze zawszze|dlaczego dlacezgo|możliwe możilwe|przykład przkyład|pieniądze pieniąddze|człowiek czołwiek|rzeczywiście rzeczywiśccie",
    "tr": "önemli önmeli|şehirde şehridde|birlikte birilkte|gerçekten gerçketen|çalışma çalşıma|kullanmak kulllanmak|dünyada dünayda|başkanı başkkanı|söyledi söylcdi|öğrenci öğrneci",
    "ru": "правительство правитлеьство|человек чеолвек|сегодня сегондя|работать рабоатть|конечно коннечно|действительно дейтсвительно|возможно возмжоно|хорошо хоршоо|требуется требуетсяя|проблема проблемма",
    "uk": "звичайно звичйано|сьогодні сьогондні|людина люидна|працювати працюавти|можливо можилво|проблема проблемма|рішення рішеннння|насправді напсравді|будинок будникок|важливо важилво",
}

# Bare spellings that are no words.
LOST_MARKS = {
    "fr": "février fevrier|également egalement|problème probleme|société societe|président president|français francais|régional regional|véritable veritable|très tres|deuxième deuxieme|hôpital hopital|évidemment evidemment|succès succes|vérité verite|théâtre theatre|développement developpement",
    "es": "podrá podra|también tambien|político politico|habrá habra|según segun|estación estacion|jamás jamas|económico economico|árbol arbol|fácilmente facilmente|lápiz lapiz|información informacion",
    "it": "società societa|perché perche|università universita|possibilità possibilita|attività attivita|libertà liberta|qualità qualita|città citta|metà meta",
    "pl": "również rowniez|możliwość mozliwosc|człowiek czlowiek|później pozniej|większość wiekszosc|wreszcie wreszcie|wyjaśnienie wyjasnienie|właśnie wlasnie",
    "pt": "possível possivel|também tambem|difícil dificil|ninguém ninguem|próximo proximo|então entao|alguém alguem",
    "el": "σημαντικός σημαντικος|κυβέρνηση κυβερνηση|ανθρώπους ανθρωπους|πρόβλημα προβλημα|ερωτήσεις ερωτησεις",
}

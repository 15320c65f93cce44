"""Ways of writing the same: keyboards, reforms, slips, signs, dashes and ellipses."""

# ruff: noqa: E501

from __future__ import annotations

from quotes.tables import misjudged, rows

SIGNS = rows(r"""
Use "*" and "?" in file names. | Use “*” and “?” in file names.
Die Zeichen ".." und "." haben eine Bedeutung. | Die Zeichen „..“ und „.“ haben eine Bedeutung.
Les signes « ; » et « : » séparent. | Les signes “;” et “:” séparent.
He said "go", "stop" and "wait". | He said “go”, “stop” and “wait”.
Le mot "si", puis "non", suffit ici. | Le mot « si », puis « non », suffit ici.
the strings "a","b" and "c" are joined | the strings "a", "b" and "c" are joined
Die Pfade `..` und `.` sind besonders. | Die Pfade ".." und "." sind besonders.
She asked ("why?"), then "how" she did it. | She asked (“why?”), then “how” she did it.
The key "a": "b" pairs are "c"; "d" too. | The key “a”: “b” pairs are “c”; “d” too.
He wrote "well..." "then" and left. | He wrote “well…” “then” and left.
""")
OTHER_SIGNS = rows(r"""
Use "*" and "?" in file names. | Use "?" and "*" in file names.
Los signos ".." y "." son especiales. | Los signos "." y ".." son especiales.
Die Zeichen ";" und ":" trennen Felder. | Die Zeichen ":" und ";" trennen Felder.
Znaki „,” oraz „;” rozdzielają pola. | Znaki „;” oraz „,” rozdzielają pola.
Символы «.» и «,» разделяют части. | Символы «,» и «.» разделяют части.
I caratteri "!" e "?" chiudono la frase. | I caratteri "?" e "!" chiudono la frase.
Le caractère « ; » termine une ligne. | Le caractère « : » termine une ligne.
A linha começa com "." e acaba com ",". | A linha começa com "," e acaba com ".".
Prefix the name with "!" to deny it. | Prefix the name with "." to deny it.
Tecken som "," och "." är vanliga. | Tecken som "." och "," är vanliga.
`..` e `.` sono cartelle. | `.` e `..` sono cartelle.
Het teken ";" sluit de regel af. | Het teken "," sluit de regel af.
The value "--" ends the options. | The value "-" ends the options.
Cserélje a „.” jelet „,” jelre. | Cserélje a „,” jelet „.” jelre.
""")
DASHES = rows(r"""
Viver é lutar.\n\n--Seu Madruga (Chaves) | “Viver é lutar.” — Seu Madruga (Chaves)
I can resist everything except temptation.\n--Oscar Wilde
    | I can resist everything except temptation. — Oscar Wilde
Es irrt der Mensch.\n\t\t--Goethe | „Es irrt der Mensch.“ – Goethe
La vita è bella.\n    -- Roberto Benigni | "La vita è bella." --Roberto Benigni
La vida es sueño.\n--Calderón de la Barca | «La vida es sueño.» —Calderón de la Barca
Chi va piano va sano. --Proverbio toscano | Chi va piano va sano. - Proverbio toscano
Жизнь прекрасна.\n--Чехов Антон | «Жизнь прекрасна.» — Чехов Антон
"To be or not to be"--and so on it went. | “To be or not to be” — and so on it went.
«Così è»--disse lui, e poi andò via. | «Così è» – disse lui, e poi andò via.
Less is more.\n--Mies van der Rohe | “Less is more.” – Mies van der Rohe
Know thyself.\n--Socrates, in Athens | Know thyself. Socrates, in Athens
""")
OTHER_DASHES = rows(r"""
Use --verbose for more output here. | Use verbose for more output here.
Run ls -a in that folder today. | Run ls a in that folder today.
The flag -Wall turns on warnings. | The flag Wall turns on warnings.
Opzione --help per vedere la guida. | Opzione help per vedere la guida.
Use -v or --no-cache to build it. | Use -v or no-cache to build it.
Mit --dry-run wird nichts gelöscht. | Mit dry-run wird nichts gelöscht.
Set "-f" to force it at once. | Set "f" to force it at once.
""")
DIALOGUES = rows(r"""
C'era una volta...\n— Un re! — diranno i lettori. | C'era una volta... Un re! diranno i lettori.
Era tarde. — Vámonos — dijo Ana. | Era tarde. Vámonos, dijo Ana.
He waited… — Come in! — she said. | He waited… “Come in!” she said.
Il pleuvait.\n– Entrez, dit-elle. | Il pleuvait. « Entrez », dit-elle.
On przyszedł. — Dzień dobry — powiedział. | On przyszedł. — Dzień dobry — powiedział.
The plan was simple. - Bring food\n- Bring water | The plan was simple. Bring food
""")
OTHER_DIALOGUES = rows(r"""
C'era una volta...\n— Un re! — diranno i lettori. | C'era una volta un re!
Vio al ladrón.\n— Mi hermano — gritó Ana. | Vio al ladrón mi hermano
Он увидел…\n— Волка! — крикнул дед. | Он увидел волка!
Je veux...\n— Partir ? demanda-t-il. | Je veux partir ?
Zobaczył tam...\n— Wilka! — krzyknął dziad. | Zobaczył tam wilka!
Ele quer… — Dinheiro! — disse ela. | Ele quer dinheiro!
A fost odată...\n– Un împărat! au strigat ei. | A fost odată un împărat!
Bir zamanlar… — Bir kral! dediler. | Bir zamanlar bir kral!
""")
ELLIPSES = rows(r"""
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten […]. Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten [...]. Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten (…). Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten .... Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten . . .. Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten …. Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten (...). Eine Zensur findet nicht statt.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente […]. La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente [...]. La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente (…). La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente .... La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente . . .. La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente …. La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente (...). La censura è vietata.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten […] Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten [...] Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten (…) Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten ... Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten . . . Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten … Eine Zensur findet nicht statt.
Jeder darf seine Meinung frei äußern und verbreiten und sich ungehindert unterrichten. Die Pressefreiheit wird gewährleistet. Eine Zensur findet nicht statt.
    | Jeder darf seine Meinung frei äußern und verbreiten (...) Eine Zensur findet nicht statt.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente […] La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente [...] La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente (…) La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente ... La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente . . . La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente … La censura è vietata.
Tutti possono parlare liberamente e scrivere libri. La stampa è libera. La censura è vietata.
    | Tutti possono parlare liberamente (...) La censura è vietata.
Asetuksia voidaan säilyttää useassa eri hakemistossa, mutta suurin osa löytyy tämän hakemiston alta.
    | Asetuksia voidaan säilyttää useassa eri hakemistossa, … suurin osa löytyy tämän hakemiston alta.
Inställningarna finns på många ställen, och de flesta ligger i den här katalogen.
    | Inställningarna finns på många ställen, […] de flesta ligger i den här katalogen.
Nastavení je v mnoha složkách, ale většina se nachází v této složce na disku.
    | Nastavení je v mnoha složkách, … většina se nachází v této složce na disku.
Indstillingerne er mange steder, men de fleste ligger i denne mappe på disken.
    | Indstillingerne er mange steder, (...) de fleste ligger i denne mappe på disken.
Az adatok sok helyen vannak, de a többség ebben a mappában van.
    | Az adatok sok helyen vannak, … a többség ebben a mappában van.
Die Daten liegen an vielen Orten, aber sie gehören zu diesem Ordner.
    | Die Daten liegen an vielen Orten, … sie gehören zu diesem Ordner.
Les données sont à plusieurs endroits, mais elles viennent de ce dossier.
    | Les données sont à plusieurs endroits, … elles viennent de ce dossier.
I dati sono in molti posti, ma vengono da questa cartella di rete.
    | I dati sono in molti posti, … vengono da questa cartella di rete.
The data are in many places, but they come from this folder.
    | The data are in many places, … they come from this folder.
""")
OTHER_ELLIPSES = rows(r"""
The drug was safe in rats. It was not safe in people.
    | The drug was safe […]. It was safe in people.
The firm settled the case in May. It denied that it paid 3 million.
    | The firm settled [...]. paid 3 million.
Das Mittel wirkt nicht bei Kindern. Es ist neu. | Das Mittel wirkt […]. Es ist alt.
The plan works only if everyone agrees. It is cheap. | The plan works (…), if everyone pays.
Asetukset eivät ole täällä, vaikka ne olivat siinä hakemistossa eilen.
    | Asetukset … ole täällä, vaikka ne olivat siinä hakemistossa eilen.
Nastavení je zde, pokud není v jiné složce na tomto disku.
    | Nastavení je zde, … v jiné složce na tomto disku.
Inställningarna är inte här utan i den andra katalogen på disken.
    | Inställningarna är … här utan i den andra katalogen på disken.
Az adatok itt vannak, ha a gép nem tört el tegnap.
    | Az adatok itt vannak, … a gép nem tört el tegnap.
""")
NOTES = rows(r"""
Το κόστος ήταν 3,4 εκατ. ευρώ2. Μετά έπεσε. | Το κόστος ήταν 3,4 εκατ. ευρώ.
Цена выросла на 5 рублей3. Потом упала. | Цена выросла на 5 рублей.
Ціна зросла на 5 гривень4 за рік. | Ціна зросла на 5 гривень за рік.
Il y avait 300 élèves12. Puis moins. | Il y avait 300 élèves.
Było tam 40 żołnierzy7. Potem mniej. | Było tam 40 żołnierzy.
Bylo tam 40 vojáků3 a jeden pes. | Bylo tam 40 vojáků a jeden pes.
Az összeg 5 millió volt, de csökkenő2 mértékben. | Az összeg 5 millió volt, de csökkenő mértékben.
Fiyat 5 lira arttı, yıllık değişim düştü1. Sonra | Fiyat 5 lira arttı, yıllık değişim düştü.
""")
OTHER_NOTES = rows(r"""
Площадь 5 км2. Потом меньше. | Площадь 5 км.
Объём 5 см3 воды. | Объём 5 см воды.
Версия python3 новая, как все знают. | Версия python новая, как все знают.
Площа 30 м2 у цьому домі. | Площа 30 м у цьому домі.
L’uscita level3 non va bene per noi. | L’uscita level non va bene per noi.
Utilisez utf8 dans tous les fichiers. | Utilisez utf dans tous les fichiers.
""")
DOUBLED = rows(r"""
joka yleensä korvaa  korvaa tässä kuvatun version ja | joka yleensä korvaa tässä kuvatun version ja
It was the\nthe best of times for us. | It was the best of times for us.
Das ist das das Haus der Familie Groß. | Das ist das Haus der Familie Groß.
El perro de de la casa es muy grande. | El perro de la casa es muy grande.
Le chat est est dans la maison du voisin. | Le chat est dans la maison du voisin.
La casa della della famiglia è grande. | La casa della famiglia è grande.
Kot jest jest w tym domu od lat. | Kot jest w tym domu od lat.
Кот живёт живёт в этом доме давно. | Кот живёт в этом доме давно.
Huset ligger ligger vid sjön sedan länge. | Huset ligger vid sjön sedan länge.
De hond loopt door door het huis vandaag. | De hond loopt door het huis vandaag.
Pes běží běží domů přes celé město. | Pes běží domů přes celé město.
O cão corre para para casa todos os dias. | O cão corre para casa todos os dias.
Η γάτα είναι είναι στο σπίτι πάντα. | Η γάτα είναι στο σπίτι πάντα.
It was the best of times for us. | It was the the best of times for us.
Câinele aleargă spre spre casă mereu. | Câinele aleargă spre casă mereu.
""")
OTHER_DOUBLED = rows(r"""
The code is 5 5 and nothing else here. | The code is 5 and nothing else here.
No, no one came to the party. | No one came to the party no.
He said that no no was final here. | He said that no was final here.
Dieses Haus ist nicht nicht schön genug. | Dieses Haus ist nicht schön genug.
She met Boris Boris in the town. | She met Boris in the town.
It rose by ten ten times in a year. | It rose by ten times in a year.
He was more more or less certain then. | He was more or less certain then.
""")
SPELLINGS = rows(r"""
Die Würde des Menschen ist unantastbar. | Die Wuerde des Menschen ist unantastbar.
Die Größe des Hauses ist nicht bekannt. | Die Groesse des Hauses ist nicht bekannt.
Er sprach über das neue Gesetz im Land. | Er sprach ueber das neue Gesetz im Land.
Die Grösse des Hauses ist nicht bekannt. | Die Größe des Hauses ist nicht bekannt.
Das Haus steht an der Straße nach Bern. | Das Haus steht an der Strasse nach Bern.
Sie grüßen uns jeden Tag im Büro. | Sie gruessen uns jeden Tag im Buero.
Sie fahren mit dem Bus und müssen weiter. | Sie fahren mit dem Bus und muessen weiter.
Es besteht Gefahr, daß der Einfluß wächst, unter Einschluß aller Länder.
    | Es besteht Gefahr, dass der Einfluss wächst, unter Einschluss aller Länder.
Der Mißbrauch ist gewiß und bewußt. | Der Missbrauch ist gewiss und bewusst.
Ein Mißverständnis im Ausschuß ist mir unbewußt.
    | Ein Missverständnis im Ausschuss ist mir unbewusst.
Der Entschluß steht in großen Buchstaben da. | Der Entschluss steht in großen Buchstaben da.
Perché è così, la città è più bella. | Perche' e' cosi', la citta' e' piu' bella.
La verita' e' che non c'e' niente da fare. | La verità è che non c'è niente da fare.
Lui è andato via e non è tornato. | Lui e' andato via e non e' tornato.
La società però non sarà venduta. | La societa' pero' non sara' venduta.
No sólo la escritura, sino también el pensamiento.
    | No solo la escritura, sino también el pensamiento.
Éste es el camino y aquélla es la casa. | Este es el camino y aquella es la casa.
Solo hay una casa en este lugar. | Sólo hay una casa en este lugar.
O vôo foi adiado porque eles crêem nisso. | O voo foi adiado porque eles creem nisso.
A direcção do sector eléctrico não é exacta. | A direção do setor elétrico não é exata.
Cînd sînt acasă, mănînc pîine și beau apă. | Când sunt acasă, mănânc pâine și beau apă.
El a rămas în pădure pînă cînd a plouat. | El a rămas în pădure până când a plouat.
Han bor på en liten ö där året går. | Han bor paa en liten oe daer aaret gaar.
De går på skole hver dag i året. | De gaar paa skole hver dag i aaret.
Øl er dyrt, og børn må ikke få det. | Oel er dyrt, og boern maa ikke faa det.
Jeg tror at blå er best for oss. | Jeg tror at blaa er best for oss.
Zażółć gęślą jaźń i nie mów nic więcej. | Zazolc gesla jazn i nie mow nic wiecej.
Příliš žluťoučký kůň úpěl ďábelské ódy. | Prilis zlutoucky kun upel dabelske ody.
Tato pípnutí se nazývají kódy a říkají, o jaký problém jde.
    | Tato pipnuti se nazyvaji kody a rikaji, o jaky problem jde.
Bugün hava çok güzel ve çocuklar dışarıda. | Bugun hava cok guzel ve cocuklar disarida.
Învățarea limbii române este grea și lungă. | Invatarea limbii romane este grea si lunga.
""")
OTHER_SPELLINGS = rows(r"""
Die Maße sind bekannt. | Die Masse sind bekannt.
Er tat Buße in Rom. | Er tat Busse in Rom.
Das Auto wurde verkauft, wie er sagte. | Das Auto würde verkauft, wie er sagte.
Er hatte das Geld, und sie konnten gehen. | Er hätte das Geld, und sie könnten gehen.
Herr Müller kam gestern ins Büro. | Herr Mueller kam gestern ins Büro.
Frau Weiß ist nicht gekommen. | Frau Weiss ist nicht gekommen.
Die Maßen sind voll von Rußen. | Die Massen sind voll von Russen.
Der Mann ist schon da und wartet. | Der Mann ist schön da und wartet.
Der Apotheker hatte Flöße im Haus. | Der Apotheker hatte Flosse im Haus.
Lui e la moglie sono andati via. | Lui è la moglie sono andati via.
Lui si è alzato e non parla. | Lui sì e alzato è non parla.
Esta casa es de mi hermano Juan. | Está casa es de mi hermano Juan.
El paso de la montaña es largo. | Él pasó de la montaña es largo.
Ayer hablo con el director mismo. | Ayer habló con el director mismo.
O pais dele é muito pequeno hoje. | O país dele é muito pequeno hoje.
A avó dele mora nesta casa velha. | A avô dele mora nesta casa velha.
Ea are o fată frumoasă în casă. | Ea are o fata frumoasă în casă.
Un rai de oameni a fost acolo ieri. | Un râi de oameni a fost acolo ieri.
Robił laskę z drewna w domu. | Robił łaskę z drewna w domu.
Han ser på den hål vägen idag. | Han ser på den hal vägen idag.
Jeg så en får på marken i dag. | Jeg så en far på marken i dag.
Byla to dobrá rada pro všechny lidi. | Byla to dobrá řada pro všechny lidi.
Kar yağdı ve yol açıktı dün. | Kâr yağdı ve yol açıktı dün.
Olmak ister ve ölmek istemez o. | Ölmek ister ve ölmek istemez o.
Der Fluß ist tief und sehr breit. | Der Fluch ist tief und sehr breit.
""")


def test_signs_in_quotation_marks_are_content() -> None:
    assert misjudged(same=[*SIGNS], changed=[*OTHER_SIGNS]) == []


def test_the_dash_before_an_author_is_no_option() -> None:
    assert misjudged(same=[*DASHES], changed=[*OTHER_DASHES]) == []


def test_a_dash_after_a_stop_begins_the_words_of_another() -> None:
    assert misjudged(same=[*DIALOGUES], changed=[*OTHER_DIALOGUES]) == []


def test_an_ellipsis_with_a_stop_or_for_a_conjunction() -> None:
    assert misjudged(same=[*ELLIPSES], changed=[*OTHER_ELLIPSES]) == []


def test_digits_of_a_note_are_no_part_of_a_word() -> None:
    assert misjudged(same=[*NOTES], changed=[*OTHER_NOTES]) == []


def test_a_word_that_stands_twice_is_a_slip() -> None:
    assert misjudged(same=[*DOUBLED], changed=[*OTHER_DOUBLED]) == []


def test_a_spelling_of_another_keyboard_or_time() -> None:
    assert (
        misjudged(
            same=[*SPELLINGS, *((one, other) for other, one in SPELLINGS)],
            changed=[*OTHER_SPELLINGS, *((one, other) for other, one in OTHER_SPELLINGS)],
        )
        == []
    )


# Written in another way: capitals, dots, verses, circumflexes, formulas.
WRITTEN = [
    ("À défaut de paiement, le solde est dû.", "A défaut de paiement, le solde est dû."),
    ("L’État et l’École sont des choses du pays.", "L'Etat et l'Ecole sont des choses du pays."),
    ("출생·사망통계 자료를 어제 발표하였다.", "출생ㆍ사망통계 자료를 어제 발표하였다."),
    ("Im Walde so für mich hin\nund nichts zu suchen", "Im Walde so für mich hin / und nichts zu suchen"),
    ("از دست و زبان که برآید       کز عهدهٔ شکرش به در", "از دست و زبان که برآید / کز عهدهٔ شکرش به در"),
    ("Çehreni ey nazlı hilâl ne olur!", "Çehreni ey nazlı hilal ne olur!"),
    ("Non so perché il governo abbia deciso così.", "Non so perchè il governo abbia deciso così."),
    ("In total, $n = 1{,}204$ patients were seen.", "In total, n = 1,204 patients were seen."),
    ("It was $0.81$ (CI $0.68$--$0.97$; $p = 0.02$).", "It was 0.81 (CI 0.68–0.97; p = 0.02)."),
    ("The ratio was 0.68--0.97 in the second year.", "The ratio was 0.68–0.97 in the second year."),
]  # fmt: skip
OTHER_WRITTEN = [
    ("Elle a cote à la bourse avec les autres.", "Elle a côte à la bourse avec les autres."),
    ("È vero che il governo ha deciso così.", "E vero che il governo ha deciso così."),
    ("They paid $5 and $7 for it in the shop.", "They paid 5 and 7 for it in the shop."),
    ("It was $0.81$ (CI $0.68$--$0.97$; $p = 0.02$).", "It was 0.81 (CI 0.86–0.97; p = 0.02)."),
    ("In total, $n = 1{,}204$ patients were seen.", "In total, n = 1.204 patients were seen."),
    ("The kar-line is 3/4 of the whole way.", "The kar-line is 3 4 of the whole way."),
]


def test_capitals_dots_verses_and_formulas() -> None:
    assert misjudged(same=WRITTEN, changed=OTHER_WRITTEN) == []


def test_an_ellipsis_may_not_hide_a_phrase_that_denies() -> None:
    hidden = [
        ("Debian is far from being a marginal system.", "Debian is … a marginal system."),
        ("The plan is anything but a safe way out.", "The plan is … a safe way out."),
        ("Der Weg ist alles andere als eine sichere Sache.", "Der Weg ist … eine sichere Sache."),
        ("Ce projet est loin d'être une solution.", "Ce projet est … une solution."),
        ("El plan está lejos de ser una solución.", "El plan … ser una solución."),
    ]
    harmless = [
        ("The plan is by now a rather safe way out.", "The plan is … a rather safe way out.")
    ]
    assert misjudged(same=harmless, changed=hidden) == []

"""Writes `language/data/units.txt` from Unicode CLDR: what units and currencies are called.

Unpack the packages `cldr-units-full` and `cldr-numbers-full` of CLDR's JSON distribution into one
folder, and run `python -m tests.cldr_units FOLDER`. What CLDR lacks, such as national currencies by
the names that their countries use, is in `BY_HAND`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from typing import Any

from citeguard.language.lexicon import CODES

_HEADER = """\
# What units, magnitudes and currencies are called, right behind a number. Written by
# tests/cldr_units.py from Unicode CLDR 48 (Copyright 2004-2026 Unicode, Inc., Unicode License v3;
# see NOTICE.md) and rows by hand. Each line: key, languages ("*" for all), forms between "|".
# A form of up to three letters is a symbol, whose case counts.
"""
_UNITS = """
mass-kilogram mass-gram mass-milligram mass-microgram mass-tonne mass-pound mass-ounce
length-kilometer length-meter length-centimeter length-millimeter length-micrometer
length-nanometer length-mile length-foot length-inch length-yard
area-square-kilometer area-square-meter area-square-centimeter area-hectare area-acre
area-square-mile area-square-foot
volume-liter volume-milliliter volume-centiliter volume-deciliter volume-cubic-meter
volume-cubic-centimeter volume-tablespoon volume-teaspoon volume-gallon
duration-millisecond duration-second duration-minute duration-hour duration-day duration-week
duration-month duration-year
temperature-celsius temperature-fahrenheit
speed-kilometer-per-hour speed-meter-per-second speed-mile-per-hour
power-watt power-kilowatt power-megawatt power-gigawatt power-horsepower
energy-kilowatt-hour energy-kilocalorie energy-joule energy-kilojoule
frequency-hertz frequency-kilohertz frequency-megahertz frequency-gigahertz
electric-volt electric-ampere electric-ohm
pressure-pascal pressure-kilopascal pressure-hectopascal pressure-bar pressure-millibar
digital-byte digital-kilobyte digital-megabyte digital-gigabyte digital-terabyte
""".split()
# In Latin letters everywhere; what a language calls otherwise wins over none of them.
_SYMBOLS = """
mass-kilogram * kg
mass-gram * g
mass-milligram * mg
mass-microgram * µg|mcg
mass-tonne * t
mass-pound * lb|lbs
mass-ounce * oz
length-kilometer * km
length-meter * m
length-centimeter * cm
length-millimeter * mm
length-micrometer * µm
length-nanometer * nm
length-mile * mi
length-foot * ft
area-square-kilometer * km²
area-square-meter * m²
area-square-centimeter * cm²
area-hectare * ha
volume-liter * l|L
volume-milliliter * ml|mL
volume-centiliter * cl|cL
volume-deciliter * dl|dL
volume-cubic-meter * m³
volume-cubic-centimeter * cm³
duration-millisecond * ms
duration-second * s|sec
duration-minute * min
duration-hour * h
temperature-celsius * °C
temperature-fahrenheit * °F
speed-kilometer-per-hour * km/h|kph|kmh
speed-meter-per-second * m/s
speed-mile-per-hour * mph
power-watt * W
power-kilowatt * kW
power-megawatt * MW
power-gigawatt * GW
energy-kilowatt-hour * kWh
energy-kilocalorie * kcal
energy-joule * J
energy-kilojoule * kJ
frequency-hertz * Hz
frequency-kilohertz * kHz
frequency-megahertz * MHz
frequency-gigahertz * GHz
electric-volt * V
electric-ampere * A
electric-ohm * Ω
pressure-pascal * Pa
pressure-kilopascal * kPa
pressure-hectopascal * hPa
pressure-bar * bar
pressure-millibar * mbar
digital-kilobyte * kB
digital-megabyte * MB
digital-gigabyte * GB
digital-terabyte * TB
currency-euro * €|EUR
currency-pound * £|GBP
currency-franc * CHF
currency-rouble * ₽|RUB
currency-hryvnia * ₴|UAH
currency-zloty * zł|PLN
currency-leu * RON
currency-lira * ₺|TRY
currency-rupee * ₹|INR
currency-won * ₩|KRW
currency-baht * ฿|THB
currency-dong * ₫|VND
currency-us-dollar * US$|USD
currency-yen * JPY
currency-yuan * CNY|RMB
currency-real * R$|BRL
"""
BY_HAND = """
currency-euro en euro|euros
currency-euro de,nl,it,es,fr,pt,ro,tr,vi euro|Euro|euros|Euros|avro|Avro|euro's
currency-euro pl,ru,uk,el euro|евро|євро|ευρώ|ΕΥΡΩ
currency-euro ar,hi,th,zh,ja,ko يورو|यूरो|ยูโร|欧元|歐元|ユーロ|유로
currency-dollar en,nl,de,fr,it,ru,uk,pl,el,ro,tr,ja,ko,hi,ar,vi $
currency-dollar en dollar|dollars
currency-dollar de,nl Dollar|dollar|dollars
currency-dollar fr,ro,it dollar|dollars|dolar|dolari|dollaro|dollari
currency-dollar ru,uk доллар|доллара|доллару|долларов|доллары|долларам|долларами|долларах|долл.
currency-dollar ru,uk долар|долара|доларів|долари|дол.
currency-dollar pl,tr dolar|dolara|dolarów|dolary|dolarach|dolarami|doları
currency-dollar el,hi,ar,vi δολάριο|δολάρια|δολαρίων|डॉलर|دولار|دولارات|đô la|đô-la
currency-dollar ja,ko ドル|달러
currency-us-dollar zh 美元
currency-us-dollar th ดอลลาร์สหรัฐ
currency-us-dollar ru,uk долларов США|доллара США|доллар США|доларів США|долари США
currency-us-dollar en U.S. dollars|US dollars|U.S. dollar|US dollar
currency-us-dollar es,pt dólares estadounidenses|dólar estadounidense
currency-us-dollar de US-Dollar
mass-pound/currency-pound en pound|pounds
currency-pound en pounds sterling|pound sterling
currency-pound de,fr,it britische Pfund|livre sterling|livres sterling|sterline|sterlina
currency-pound es,pt libra esterlina|libras esterlinas
currency-pound ru,uk,pl фунтов стерлингов|фунта стерлингов|фунт стерлингов|фунтів стерлінгів
currency-pound ru,uk,pl funtów szterlingów
currency-franc de,fr,it Franken|Fr.|francs|francs suisses|franchi
currency-rouble ru рубль|рубля|рублю|рублём|рублем|рубле|рубли|рублей|рублям|рублями|рублях|руб.
currency-rouble ru р.
currency-kopeck ru копейка|копейки|копеек|копейку|копейками|коп.
currency-hryvnia uk гривня|гривні|гривень|гривню|гривнею|гривням|гривнями|гривнях|грн
currency-hryvnia ru гривна|гривны|гривен|грн
currency-hryvnia uk гривен
currency-kopeck uk копійка|копійки|копійок|коп.
currency-zloty pl złoty|złote|złotych|złotego|złotemu|złotym|złotymi
currency-grosz pl grosz|grosze|groszy|gr
currency-leu ro leu|lei|leilor
currency-ban ro ban|bani
currency-lira tr lira|liralık|lirası|liraya|TL
currency-kurus tr kuruş|kr.
currency-rupee hi रुपया|रुपये|रुपए|रुपयों|रु.|रू.
currency-rupee en rupee|rupees|Rs.|Rs
currency-yen ja 円|¥
currency-yen en yen
currency-yuan zh 元|人民币|元人民币|¥|圆
currency-yuan en yuan|renminbi
currency-won ko 원
currency-baht th บาท
currency-dong vi đồng|đ|VNĐ
currency-real pt real|reais
currency-riyal ar ريال|ريالات|ر.س
currency-dirham ar درهم|دراهم|د.إ
currency-dinar ar دينار|دنانير|د.ك
currency-egyptian-pound ar جنيه|جنيهات|ج.م
currency-cent de Cent|ct|Ct
currency-cent fr,es centime|centimes|céntimo|céntimos|cts
currency-cent en cent|cents|¢
concentr-basis-point en basis point|basis points|bp|bps
concentr-basis-point de Basispunkt|Basispunkte|Basispunkten|Bp.|BP
concentr-basis-point es,pt punto básico|puntos básicos|pb|p.b.|pbs|pontos base|pontos-base
concentr-basis-point es,pt ponto base
concentr-basis-point fr point de base|points de base|pb|pdb
concentr-basis-point it punto base|punti base|pb
concentr-basis-point ru базисный пункт|базисного пункта|базисных пункта|базисных пунктов
concentr-basis-point ru базисным пунктам|базисных пунктах|б.п.
concentr-basis-point uk базисний пункт|базисного пункту|базисних пункти|базисних пунктів|б.п.
concentr-basis-point pl punkt bazowy|punkty bazowe|punktów bazowych|punktami bazowymi|pb|p.b.
concentr-point en percentage point|percentage points|pp|pps|ppt
concentr-point de Prozentpunkt|Prozentpunkte|Prozentpunkten|PP
concentr-point es,pt punto porcentual|puntos porcentuales|pp|p.p.|ponto percentual
concentr-point es,pt pontos percentuais
concentr-point fr point de pourcentage|points de pourcentage
concentr-point it punto percentuale|punti percentuali|p.p.
concentr-point ru процентный пункт|процентного пункта|процентных пункта|процентных пунктов|п.п.
concentr-point uk відсотковий пункт|відсоткового пункту|відсоткових пункти|відсоткових пунктів
concentr-point uk в.п.
concentr-point pl punkt procentowy|punktu procentowego|punkty procentowe|punktów procentowych
concentr-point pl pkt proc.|p.p.|pkt. proc.
count-piece ru,uk штука|штуки|штук|штуку|штукой|штуками|шт.
count-piece pl sztuka|sztuki|sztuk|sztukę|szt.
count-piece de Stück|Stk.|St.
count-piece en pieces|pcs|pcs.
count-tablet pl tabletka|tabletki|tabletek|tabletkę|tabl.
count-tablet ru таблетка|таблетки|таблеток|таблетку|табл.
count-people ru человек|человека|чел.
count-people pl osoba|osoby|osób|os.
count-people uk особа|особи|осіб|ос.
volume-tablespoon es cucharada|cucharadas|cda.|cdas.
volume-teaspoon es cucharadita|cucharaditas|cdta.|cdtas.
volume-tablespoon de Esslöffel|EL
volume-teaspoon de Teelöffel|TL
volume-tablespoon fr cuillère à soupe|cuillères à soupe|c. à s.|cuil. à soupe|c. à soupe
volume-teaspoon fr cuillère à café|cuillères à café|c. à c.|cuil. à café|c. à café
volume-tablespoon it cucchiaio|cucchiai
volume-teaspoon it cucchiaino|cucchiaini
volume-tablespoon pt colher de sopa|colheres de sopa
volume-tablespoon nl eetlepel|eetlepels|el
volume-teaspoon nl theelepel|theelepels|tl
volume-tablespoon pl łyżka|łyżki|łyżek|łyżkę
volume-teaspoon pl łyżeczka|łyżeczki|łyżeczek|łyżeczkę
volume-tablespoon ru столовая ложка|столовые ложки|столовых ложек|столовых ложки|ст. л.|ст.л.
volume-teaspoon ru чайная ложка|чайные ложки|чайных ложек|чайных ложки|ч. л.|ч.л.
volume-tablespoon tr yemek kaşığı
volume-tablespoon ja 大さじ
mass-kilogram ru килограммов
mass-gram ru граммов
area-hectare ru гектаров
mass-kilogram en kilo|kilos|kilogramme|kilogrammes
mass-kilogram es,pt,fr,it,nl,de kilo|kilos|chilo|chili|Kilo
mass-kilogram el κιλό|κιλά|κιλών
mass-kilogram zh 公斤
length-kilometer zh 千米
volume-milliliter ar مل
mass-kilogram ja キロ
mass-gram en gramme|grammes
mass-tonne en metric ton|metric tons|tonne|tonnes
mass-tonne ja トン
length-meter en metre|metres
length-kilometer en kilometre|kilometres|kms
length-centimeter en centimetre|centimetres
length-millimeter en millimetre|millimetres
volume-liter en litre|litres
volume-milliliter en millilitre|millilitres
area-square-meter el τ.μ.|τετραγωνικά μέτρα|τετραγωνικών μέτρων|τετραγωνικά
area-square-meter ru кв. м|кв.м
area-square-meter uk кв. м|кв.м
area-square-meter pl mkw.|m kw.|metrów kw.
area-square-meter de qm|Quadratmeter|Quadratmetern
area-square-meter it,ro mq|mp
area-square-meter fr mètre carré|mètres carrés
area-square-meter es,pt metros cuadrados|metro cuadrado|metros quadrados
area-square-meter en square metre|square metres|sq m|sq. m
area-square-foot en sq ft|sq. ft.|sq. ft
area-square-mile en sq mi|sq. mi.
area-square-kilometer en square kilometre|square kilometres|sq km
area-square-kilometer ru,uk кв. км|кв.км
duration-second ru с|сек.|сек
duration-second en secs|sec.
duration-second es,fr,it,pt,ro,nl,pl seg.|seg|sek.|sec.
duration-second de Sek.|Sekunden
duration-minute en mins|min.|mins.
duration-minute de,fr,es,it,pt,nl,pl,ro Min.|min.
duration-minute ar د
duration-hour en hr|hrs|hr.|hrs.
duration-hour de Std|Std.|Uhrstunden
duration-hour pl godz.|godz
duration-hour tr sa.|saat
duration-year en yr|yrs|yrs.|yr.
duration-day pl doba|doby|dób|dobę
temperature-celsius ar °م|درجة مئوية|درجات مئوية
temperature-celsius en degrees Celsius|degree Celsius|degrees centigrade
temperature-celsius de Grad Celsius
temperature-celsius ru градусов Цельсия|градуса Цельсия|градус Цельсия|°С
temperature-celsius uk градусів Цельсія|градуси Цельсія|градус Цельсія|°С
temperature-celsius zh 摄氏度|攝氏度
temperature-celsius ja ℃|度C
temperature-celsius ko 섭씨
speed-kilometer-per-hour ru км/час|километров в час|километра в час
speed-kilometer-per-hour de Stundenkilometer|Stundenkilometern|km/Std.
speed-kilometer-per-hour fr,es,it,pt kilomètres heure|kilomètres à l'heure|kilómetros por hora
speed-kilometer-per-hour fr,es,it,pt chilometri orari|quilômetros por hora|chilometri all'ora
power-horsepower en hp|horsepower
power-horsepower de PS
×1000 en thousand|k
×1000000 en million|mn
×1000000000 en billion|bn
×1000000000000 en trillion|tn
×1000 de Tsd.|Tsd
×1000000 de,fr,it,es,pt,nl,pl,ro,tr Mio.|Mio|mio.|mln|mln.|mill.
×1000000000 de,it,pl,nl,ro,fr Mrd.|Mrd|mld|mld.|mrd|Md|md|Mds|mds|mia.
×1000000 el εκατ.|εκατ|εκ.
×1000000000 el δισ.|δισ|δισεκ.
×1000000 ro milion|milioane|milioanelor
×1000000000 ro miliard|miliarde|miliardelor
×1000 pt,es mil
×1000000 pt mi
×1000000000 pt bi
×1000000 pl,ru,uk mln.|млн.|млн
×1000000000 ru,uk млрд.|млрд
×1000 ru,uk тыс.|тыс|тис.|тис
×1000000 ru миллиону|миллионам|миллионами|миллионах|миллионом
×1000000000 ru миллиарду|миллиардам|миллиардами|миллиардах|миллиардом
"""
# Forms that are other words right behind a number too often, or that two units share.
_SYMBOL = 3  # letters, up to which case counts
_SCRIPTS = {
    "ru": "[а-яіїєґё]", "uk": "[а-яіїєґё]", "el": "[α-ωά-ώ]", "ar": "[ء-ي]", "hi": "[ऀ-ॿ]",
    "th": "[ก-๛]", "zh": "[一-鿿]", "ja": "[ぁ-ヿ一-鿿]", "ko": "[가-힣]",
}  # fmt: skip
_UNSURE = frozenset(
    """
    in in. a an d y c st st. pt pt. o os mies mo mo. Mon. J T M Wo. W Tg. r. r l. an. g. m.
    t. ч. z zi u gal p s. pol. po tm th ph ท. ม. ก. ล. น. ว. ช. ช จ. ส. คน мес. j. j. jr
    sem. sem. sa H ά. έ. ώ. η. ε. ημέρα Pfund
    """.split()
)


def _forms(folder: Path, code: str) -> dict[str, set[str]]:
    units = _load(folder, "units", code)["units"]
    forms: defaultdict[str, set[str]] = defaultdict(set)
    for width in ("long", "short"):
        for unit in _UNITS:
            for name, pattern in units[width].get(unit, {}).items():
                if "-count-" in name and "vocative" not in name and pattern.startswith("{0}"):
                    forms[unit].add(pattern.removeprefix("{0}").strip("\u00a0 \u200f\u200e"))
    formats = _load(folder, "numbers", code)["numbers"]["decimalFormats-numberSystem-latn"]
    for width in ("long", "short"):
        for name, pattern in formats[width]["decimalFormat"].items():
            size, zeros = int(name.partition("-")[0]), pattern.count("0")
            word = pattern.replace("0", "").replace("'", "").strip("\u00a0 \u200f\u200e")
            if word.isascii() and len(word) < 2:
                continue  # "5K", "5M": units elsewhere
            if size < 10**13 and word and zeros:
                forms[f"×{size // 10 ** (zeros - 1)}"].add(word)
    return forms


def _load(folder: Path, kind: str, code: str) -> dict[str, Any]:
    (path,) = folder.glob(f"**/{code}/{kind}.json")
    return json.loads(path.read_text("utf-8"))["main"][code]


def _fits(code: str, name: str) -> bool:
    """Return whether a form is written in the script of a language."""
    if "\u064b" in name:
        return False  # "45 days" in this case is never the beginning of "45 working days"
    letters = "".join(filter(str.isalpha, name.lower()))
    own = _SCRIPTS.get(code, "[a-zà-žəơư\u1ea0-\u1ef9µμω]")
    return not letters or letters.isascii() or all(re.match(own, letter) for letter in letters)


def _rows(text: str) -> list[tuple[str, str, list[str]]]:
    rows = (line.split(" ", 2) for line in text.strip().splitlines())
    return [(key, codes, forms.split("|")) for key, codes, forms in rows]


def _names_of(folder: Path, code: str) -> dict[str, set[str]]:
    """Return the names of each unit in a language, each name for one unit only."""
    universal = {form for _, _, forms in _rows(_SYMBOLS) for form in forms}
    fits = partial(_fits, code)
    forms = {key: set(filter(fits, names)) for key, names in _forms(folder, code).items()}
    by_hand: dict[str, str] = {}
    for key, codes, names in _rows(BY_HAND):
        for name in filter(fits, names) if code in codes.split(",") else ():
            if by_hand.setdefault(name, key) != key:
                sys.exit(f"{code}: {name!r} twice")
    times = Counter(name for names in forms.values() for name in {*map(_key, names)})
    names_of: defaultdict[str, set[str]] = defaultdict(set)
    for key, names in forms.items():
        for name in names - by_hand.keys() - universal - _UNSURE:
            if times[_key(name)] == 1 and (len(name) > 1 or not name.isascii()):
                names_of[key].add(name)
    for name, key in by_hand.items():
        names_of[key].add(name)
    return {key: {*map(_key, names)} for key, names in names_of.items() if names}


def _key(name: str) -> str:
    """Return a name as it is compared: the case of longer ones does not count."""
    return name if len(re.sub(r"[. /-]", "", name)) <= _SYMBOL else name.lower()


def main(folder: Path) -> None:
    rows = [(key, "*", {*forms}) for key, _, forms in _rows(_SYMBOLS)]
    for code in CODES:
        rows += [(key, code, names) for key, names in _names_of(folder, code).items()]
    lines = (f"{key}\t{code}\t{'|'.join(sorted(names))}" for key, code, names in rows)
    sys.stdout.write(_HEADER + "\n".join(lines) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""The same quantity written otherwise is equivalent in every language, another one never is.

The rows were written by hand for these tests; "=" is between two writings of one quantity, "≠"
between two quantities that look alike.
"""

from __future__ import annotations

from collections.abc import Iterator

from citeguard import Sources, locate
from citeguard.sources.matches import Match

# For each language a sentence, and what may be in it.
QUANTITIES = {
    "en": (
        "According to the report of the committee it was {} that they had measured in the end",
        """
        5 kg = 5 kilograms; 5 metres = 5 meters;
        250 km = 250 kilometres; 40 ms = 40 milliseconds; €5 = 5 euros;
        €1.2 million = 1.2 million euros; £30 = 30 pounds sterling; 12 sq ft = 12 square feet;
        16 GB = 16 gigabytes; 3 tbsp = 3 tablespoons; 90 km/h = 90 kilometres per hour;
        25 °C = 25 degrees Celsius; 25 bps = 25 basis points; ninety (90) days = 90 days;
        thirty (30) days = 30 days; 7 hrs = seven hours; 6.45 p.m. = 6:45 p.m.;
        31.12.2023 = 31/12/2023; GB29 NWBK 6016 1331 9268 19 = GB29NWBK60161331926819;
        +44 20 7946 0958 = +442079460958; 4111 1111 1111 1111 = 4111111111111111;
        US$5 = 5 US dollars; ₹500 = 500 rupees; 3·6 per cent = 3.6 per cent;
        20 min = 20 minutes
        """,
        """
        5 kg ≠ 5 g; 5 kg ≠ 5 lb;
        250 km ≠ 250 miles; 40 ms ≠ 40 minutes; 40 ms ≠ 40 seconds;
        5 euros ≠ 5 dollars; €5 ≠ £5; $5 ≠ US$5; CA$5 ≠ US$5; 16 GB ≠ 16 Gb; 16 MB ≠ 16 mB;
        5 kB ≠ 5 KB; 5 m² ≠ 5 m2; 5 m² ≠ 5 metres; 3 MW ≠ 3 mW; 5 lb ≠ £5;
        ninety (90) days ≠ 19 days; ninety (19) days ≠ 90 days; 6.45 p.m. ≠ 6:45 a.m.;
        ratio 6:45 ≠ ratio 6.45; 03.04.2023 ≠ 03/04/2023; 03/04/2023 ≠ 04/03/2023;
        31.12.2023 ≠ 31/12/2022; GB29 NWBK 6016 1331 9268 19 ≠ GB29NWBK60161331926891;
        12 34 56 ≠ 123456; +44 20 7946 0958 ≠ +44 20 7946 0985; 3·6 ≠ 3.6;
        1.250 dollars ≠ 1250 dollars; about 5 kg ≠ 5 kilograms;
        25 basis points ≠ 25 percentage points; 5 tbsp ≠ 5 tsp; 90 km/h ≠ 90 km;
        5 million euros ≠ 5 billion euros; 60 seconds ≠ 1 minute; 1,000 g ≠ 1 kg;
        7 days ≠ 1 week; -5 kg ≠ 5 kilograms; 5 and 20 minutes ≠ 520 minutes; 25 °C ≠ 25 °F
        """,
    ),
    "de": (
        "Nach dem Bericht der Kommission waren es {} und das ist nicht wenig für eine Anlage",
        """
        5 kg = 5 Kilogramm; 20 s = 20 Sekunden; 3 Std. = 3 Stunden; 20 min = 20 Minuten;
        1,2 Mio. Euro = 1,2 Millionen Euro; 3,5 Mrd. € = 3,5 Milliarden Euro; 50 € = 50 Euro;
        100 km/h = 100 Kilometer pro Stunde; 72 m² = 72 Quadratmeter; 12 l = 12 Liter;
        25 Basispunkte = 25 BP; 5 EL = 5 Esslöffel; 01.09.2023 = 1.9.2023;
        01.09.2023 = 01/09/2023; 640,00 Euro = 640 Euro; zwanzig Minuten = 20 min;
        5,75 % = 5.75 %; DE12 5001 0517 0648 4898 90 = DE12500105170648489890;
        dreißig (30) Tage = 30 Tage
        """,
        """
        5 kg ≠ 5 g; 20 s ≠ 20 min; 3 Std. ≠ 3 Tage; 1,2 Mio. Euro ≠ 1,2 Mrd. Euro;
        50 € ≠ 50 Dollar; 72 m² ≠ 72 m; 12 l ≠ 12 ml; 1,250 km ≠ 1250 km;
        01.09.2023 ≠ 09.01.2023; 5 EL ≠ 5 TL; 640,50 Euro ≠ 640 Euro; 5,0 % ≠ 5 %;
        25 Basispunkte ≠ 25 Prozentpunkte; zwölf Tage ≠ 20 Tage; 01.09.2023 ≠ 01/09/2022;
        dreißig (30) Tage ≠ 13 Tage; rund 50 € ≠ 50 Euro
        """,
    ),
    "fr": (
        "Selon le rapport de la commission, il y avait {} dans les locaux de cette entreprise",
        """
        5 kg = 5 kilogrammes; 20 s = 20 secondes; 3 h = 3 heures; 50 € = 50 euros;
        2,4 Md€ = 2,4 milliards d'euros|; 1,5 million d'euros = 1,5 million d’euros|;
        12 ml = 12 millilitres; 90 km/h = 90 kilomètres par heure; 18h30 = 18:30;
        25 pb = 25 points de base; 01/09/2023 = 01.09.2023; 640,00 € = 640 €;
        2 147,60 € = 2147,60 euros; trente (30) jours = 30 jours;
        2 c. à s. = 2 cuillères à soupe; dix kilos = 10 kg; 5 mètres carrés = 5 m²;
        2e = deuxième; 1er = premier
        """,
        """
        5 kg ≠ 5 mg; 20 s ≠ 20 min; 3 h ≠ 3 jours; 50 € ≠ 50 dollars; 12 ml ≠ 12 l;
        18h30 ≠ 18:03; 01/09/2023 ≠ 10/09/2023; 640,00 € ≠ 64 €; 2 c. à s. ≠ 2 c. à c.;
        5 mètres carrés ≠ 5 mètres; trente (30) jours ≠ 30 mois;
        25 pb ≠ 25 points de pourcentage; 1,2 million ≠ 1,2 milliard; 1 billion ≠ 1 milliard;
        environ 50 € ≠ 50 euros; dix kilos ≠ 12 kg; 2e ≠ troisième;
        5 mètres carrés ≠ 5 mètres cubes
        """,
    ),
    "es": (
        "Según el informe de la comisión, eran {} los que se habían usado en esta obra",
        """
        5 kg = 5 kilogramos; 20 s = 20 segundos; 1.250 € = 1250 euros; 3 cdas. = 3 cucharadas;
        12 h = 12 horas; 90 km/h = 90 kilómetros por hora; 25 pb = 25 puntos básicos;
        5 mil millones = 5.000 millones; de 6 a 8 horas = de seis a ocho horas;
        5 m² = 5 metros cuadrados; ES91 2100 0418 4502 0005 1332 = ES9121000418450200051332;
        treinta (30) días = 30 días; 01/09/2023 = 1-9-2023; 5,75 % = 5.75 por ciento;
        3.º = tercero
        """,
        """
        5 kg ≠ 5 libras; 20 s ≠ 20 min; 1.250 € ≠ 1,25 euros; 3 cdas. ≠ 3 cdtas.;
        12 h ≠ 12 días; 5 mil millones ≠ 5 millones; de 6 a 8 horas ≠ de seis a nueve horas;
        5 m² ≠ 5 metros; ES91 2100 0418 4502 0005 1332 ≠ ES9121000418450200051323;
        01/09/2023 ≠ 09/01/2023; unos 20 segundos ≠ 20 s; 25 pb ≠ 25 puntos porcentuales;
        2.º ≠ tercero
        """,
    ),
    "it": (
        "Secondo la relazione della commissione erano {} che si trovavano in questo impianto",
        """
        5 kg = 5 chilogrammi; 20 s = 20 secondi; 3,5 mld di euro = 3,5 miliardi di euro;
        1,2 mln di euro = 1,2 milioni di euro; 50 € = 50 euro; 90 km/h = 90 chilometri orari;
        72 mq = 72 m²; 01/09/2023 = 01.09.2023; trenta (30) giorni = 30 giorni; 12 ore = 12 h
        """,
        """
        5 kg ≠ 5 grammi; 20 s ≠ 20 minuti; 3,5 mld di euro ≠ 3,5 milioni di euro;
        50 € ≠ 50 dollari; 72 mq ≠ 72 m; 01/09/2023 ≠ 01.10.2023; 12 ore ≠ 12 giorni;
        circa 50 € ≠ 50 euro
        """,
    ),
    "pt": (
        "Segundo o relatório da comissão, não eram mais que {} os que foram usados nesta obra",
        """
        5 kg = 5 quilogramas; 20 s = 20 segundos; R$ 50 = 50 reais; 3 mi = 3 milhões;
        12 h = 12 horas; 50 € = 50 euros; 5 m² = 5 metros quadrados; 01/09/2023 = 01-09-2023;
        trinta (30) dias = 30 dias
        """,
        """
        5 kg ≠ 5 g; 20 s ≠ 20 minutos; R$ 50 ≠ US$ 50; R$ 50 ≠ 50 euros; 3 mi ≠ 3 bilhões;
        12 h ≠ 12 dias; 5 m² ≠ 5 metros; 01/09/2023 ≠ 01-08-2023; cerca de 50 reais ≠ R$ 50
        """,
    ),
    "nl": (
        "Volgens het rapport van de commissie was het {} en dat is niet veel voor een fabriek",
        """
        5 kg = 5 kilogram; 20 s = 20 seconden; 3,5 mld euro = 3,5 miljard euro; 50 € = 50 euro;
        2 el = 2 eetlepels; 12 uur = twaalf uur; 01-09-2023 = 01/09/2023;
        5 m² = 5 vierkante meter
        """,
        """
        5 kg ≠ 5 gram; 20 s ≠ 20 minuten; 3,5 mld euro ≠ 3,5 mln euro; 50 € ≠ 50 dollar;
        2 el ≠ 2 tl; 12 uur ≠ 20 uur; 01-09-2023 ≠ 01/09/2024; 5 m² ≠ 5 meter
        """,
    ),
    "ro": (
        "Potrivit raportului comisiei, au fost {} care nu mai sunt folosite pentru această lucrare",
        """
        5 kg = 5 kilograme; 20 s = 20 de secunde|; 3 mil. lei = 3 milioane lei;
        50 RON = 50 lei; 3,5 mld. euro = 3,5 miliarde euro; 01.09.2023 = 01/09/2023;
        50 € = 50 euro; 12 h = 12 ore
        """,
        """
        5 kg ≠ 5 grame; 3 mil. lei ≠ 3 mld. lei; 50 RON ≠ 50 bani; 50 lei ≠ 50 euro;
        01.09.2023 ≠ 01/09/2021; 12 h ≠ 12 zile; 3 milioane ≠ 3 miliarde
        """,
    ),
    "pl": (
        "Według raportu komisji było to {} i nie jest to mało dla tej firmy w tym roku",
        """
        5 kg = 5 kilogramów; 20 s = 20 sekund; 3 godz. = 3 godziny;
        240,3 mld zł = 240,3 miliarda złotych; 1,5 mln zł = 1,5 miliona złotych;
        5,75 proc. = 5.75%; 12 tys. osób = 12 000 osób; 50 zł = 50 złotych;
        4 szt. = cztery sztuki; o 6.45 = o 6:45; 72 mkw. = 72 m²;
        25 p.b. = 25 punktów bazowych; 01.09.2023 = 1/9/2023; 30 (trzydzieści) dni = 30 dni
        """,
        """
        5 kg ≠ 5 g; 20 s ≠ 20 minut; 3 godz. ≠ 3 dni; 240,3 mld zł ≠ 240,3 mln złotych;
        50 zł ≠ 50 groszy; 50 złotych ≠ 50 euro; 5,75 proc. ≠ 5.57%; 12 tys. osób ≠ 12 osób;
        4 szt. ≠ trzy sztuki; o 6.45 ≠ o 6:54; o 6.45 proc. ≠ o 6:45; 72 mkw. ≠ 72 m;
        25 p.b. ≠ 25 pkt proc.; 01.09.2023 ≠ 9/1/2023; 30 (trzydzieści) dni ≠ 13 dni
        """,
    ),
    "tr": (
        "Komisyonun raporuna göre bu yıl {} olarak ölçüldü ve bu çok önemli bir sonuç değildir",
        """
        5 kg = 5 kilogram; 20 sn = 20 saniye; 50 TL = 50 lira; 3 milyon lira = 3 milyon TL;
        50 € = 50 avro; 01.09.2023 = 01/09/2023; %5 = yüzde 5; 3'üncü = üçüncü;
        12 km = 12 kilometre; 5'inci = beşinci; otuz (30) gün = 30 gün
        """,
        """
        5 kg ≠ 5 gram; 20 sn ≠ 20 dakika; 50 TL ≠ 50 kuruş; 50 TL ≠ 50 avro;
        3 milyon TL ≠ 3 milyar TL; 01.09.2023 ≠ 10.09.2023; %5 ≠ yüzde 15; 3'üncü ≠ dördüncü;
        3'üncü ≠ üç; otuz (30) gün ≠ 13 gün
        """,
    ),
    "vi": (
        "Theo báo cáo của ủy ban thì có {} được sử dụng cho công trình này trong năm nay",
        """
        5 kg = 5 kilôgam; 20 s = 20 giây; 50 đ = 50 đồng; 50 € = 50 euro; 3 triệu = 3.000.000;
        12 km = 12 kilômét; 01/09/2023 = 01-09-2023; năm tấn = 5 tấn
        """,
        """
        5 kg ≠ 5 gam; 20 s ≠ 20 phút; 50 đ ≠ 50 euro; 3 triệu ≠ 3 tỷ; 12 km ≠ 12 mét;
        01/09/2023 ≠ 01-09-2032; năm tấn ≠ 6 tấn
        """,
    ),
    "ru": (
        "По данным комиссии, это было {} и не больше, чем в прошлом году на этом заводе",
        """
        5 кг = 5 килограммов; 20 с = 20 секунд; 12 ч = 12 часов; 20 мин = 20 минут;
        1,17 трлн руб. = 1,17 трлн рублей; 5 млрд рублей = 5 миллиардов рублей;
        50 ₽ = 50 рублей; 12 тыс. рублей = 12 000 рублей; 200 б.п. = 200 базисных пунктов;
        4 шт. = четыре штуки; 30 (тридцать) дней = 30 дней; 21 процента = 21%;
        90 км/ч = 90 километров в час; 72 кв. м = 72 м²; 01.09.2023 = 01/09/2023;
        5 ст. л. = 5 столовых ложек; 25 °C = 25 градусов Цельсия; 3-й = третий; 5-го = пятого
        """,
        """
        5 кг ≠ 5 г; 20 с ≠ 20 мин; 12 ч ≠ 12 дней; 1,17 трлн руб. ≠ 1,17 млрд рублей;
        50 рублей ≠ 50 копеек; 50 рублей ≠ 50 долларов; 12 тыс. рублей ≠ 12 рублей;
        200 б.п. ≠ 200 процентных пунктов; 4 шт. ≠ пять штук; 30 (тридцать) дней ≠ 13 дней;
        90 км/ч ≠ 90 км; 72 кв. м ≠ 72 м; 01.09.2023 ≠ 01/09/2013; 5 ст. л. ≠ 5 ч. л.;
        около 5 кг ≠ 5 килограммов; 1,250 кг ≠ 1250 кг
        """,
    ),
    "uk": (
        "За даними комісії, це було {} і не більше, ніж торік на цьому заводі під Києвом",
        """
        5 кг = 5 кілограмів; 20 с = 20 секунд; 12 год = 12 годин; 50 грн = 50 гривень;
        50 ₴ = 50 гривень; 3 млн грн = 3 мільйони гривень;
        5 млрд гривень = 5 мільярдів гривень; 12 тис. осіб = 12 000 осіб; 4 шт. = чотири штуки;
        30 (тридцять) днів = 30 днів; 01.09.2023 = 01/09/2023
        """,
        """
        5 кг ≠ 5 г; 20 с ≠ 20 хв; 12 год ≠ 12 днів; 50 грн ≠ 50 копійок; 50 грн ≠ 50 доларів;
        3 млн грн ≠ 3 млрд гривень; 12 тис. осіб ≠ 12 осіб; 4 шт. ≠ три штуки;
        01.09.2023 ≠ 02/09/2023
        """,
    ),
    "el": (
        "Σύμφωνα με την έκθεση της επιτροπής ήταν {} και δεν είναι λίγα για αυτό το έργο",
        """
        5 kg = 5 κιλά; 50 € = 50 ευρώ; 1,1 εκατ. ευρώ = 1,1 εκατομμύρια ευρώ; 12 ώρες = 12 h;
        3,5 δισ. ευρώ = 3,5 δισεκατομμύρια ευρώ; 72 τ.μ. = 72 m²; 640,00 € = 640 €;
        01/09/2023 = 01.09.2023; 20 δευτερόλεπτα = 20 s; τριάντα (30) ημέρες = 30 ημέρες
        """,
        """
        5 kg ≠ 5 γραμμάρια; 50 € ≠ 50 δολάρια; 1,1 εκατ. ευρώ ≠ 1,1 δισ. ευρώ;
        12 ώρες ≠ 12 ημέρες; 72 τ.μ. ≠ 72 m; 640,00 € ≠ 64 €; 01/09/2023 ≠ 01.08.2023;
        20 δευτερόλεπτα ≠ 20 λεπτά
        """,
    ),
    "ar": (
        "قالت اللجنة في التقرير إن ذلك كان {} في هذا العام وهو ما لم يكن في المصنع من قبل",
        """
        5 كغم = 5 كيلوغرام; 25°م = 25 درجة مئوية; 50 € = 50 يورو; 12 سم = 12 سنتيمتر;
        ٢٥ درجة مئوية = 25 °م; 01/09/2023 = 01-09-2023; 50 كم = 50 كيلومتر; 20 مل = 20 مليلتر
        """,
        """
        5 كغم ≠ 5 غرام; 25°م ≠ 25 درجة فهرنهايت; 50 € ≠ 50 دولار; 12 سم ≠ 12 متر;
        45 يومًا ≠ 45 يوم عمل; 01/09/2023 ≠ 09-01-2023; 50 كم ≠ 50 ميل; 50 ريال ≠ 50 درهم;
        3 مليون ≠ 3 مليار
        """,
    ),
    "hi": (
        "समिति की रिपोर्ट के अनुसार यह {} है और इस साल यह कम नहीं है",
        """
        5 kg = 5 किलोग्राम; ₹500 = 500 रुपये; 20 मिनट = बीस मिनट; 12 कि॰मी॰ = 12 किलोमीटर;
        5 लाख = 500000; 3 करोड़ = 3,00,00,000; 50 € = 50 यूरो; 01/09/2023 = 01-09-2023
        """,
        """
        5 kg ≠ 5 ग्राम; ₹500 ≠ 500 डॉलर; 20 मिनट ≠ बीस घंटे; 12 किलोमीटर ≠ 12 मीटर;
        5 लाख ≠ 5 करोड़; ₹500 ≠ 500 यूरो; 01/09/2023 ≠ 01-09-2013
        """,
    ),
    "th": (
        "ตามรายงานของคณะกรรมการ พบว่ามี {} ในโครงการนี้และไม่มากกว่าปีที่แล้ว",
        """
        5 กก. = 5 กิโลกรัม; 12 กม. = 12 กิโลเมตร; 50 ฿ = 50 บาท; 5 kg = 5 กิโลกรัม; 3 ชม. = 3 ชั่วโมง;
        72 ตร.ม. = 72 ตารางเมตร; 5 มล. = 5 มิลลิลิตร
        """,
        """
        5 กก. ≠ 5 กรัม; 12 กม. ≠ 12 เมตร; 50 บาท ≠ 50 ยูโร; 3 ชม. ≠ 3 นาที; 72 ตร.ม. ≠ 72 เมตร;
        5 มล. ≠ 5 ลิตร
        """,
    ),
    "zh": (
        "委员会的报告说今年一共用了{}而且这个数字没有超过去年的水平",
        """
        5 kg = 5公斤; 20千米 = 20 km; 2万亿元 = 20000亿元; 2023年9月1日 = 2023/9/1;
        5万 = 50000; ¥50 = 50元; 25℃ = 25摄氏度; 2023-09-01 = 2023年9月1日; 50欧元 = €50
        """,
        """
        5 kg ≠ 5克; 20千米 ≠ 20米; 2万亿元 ≠ 2亿元; 2023年9月1日 ≠ 2023/1/9; 5万 ≠ 5000;
        50元 ≠ 50美元; 2兆 ≠ 2万亿; 50欧元 ≠ 50美元; 25℃ ≠ 25华氏度
        """,
    ),
    "ja": (
        "委員会の報告によると今年は全部で{}でありこれは去年の水準を超えるものではないとされた",
        """
        5 kg = 5キログラム; 9千億円 = 9000億円; 13兆9千億円 = 13兆9000億円; ２・３％ = 2.3%;
        １０８・８ = 108.8; ¥300 = 300円; 2023年9月1日 = 2023/9/1; 20キロメートル = 20 km;
        3千人 = 3000人; 30ミリ秒 = 30 ms; 大さじ2 = 大さじ２|; 25℃ = 25°C|
        """,
        """
        5 kg ≠ 5グラム; 9千億円 ≠ 9000万円; 13兆9千億円 ≠ 13兆900億円; ２・３％ ≠ 2.8%;
        １・２月 ≠ 1.2月; ¥300 ≠ 300ドル; 2023年9月1日 ≠ 2023/9/11;
        20キロメートル ≠ 20メートル; 3千人 ≠ 3万人; 3・6 ≠ 18
        """,
    ),
    "ko": (
        "위원회의 보고서에 따르면 올해는 모두 {} 정도였고 이것은 지난해보다 많지 않은 것이다",
        """
        5 kg = 5킬로그램; 20 km = 20킬로미터; ₩500 = 500원; 5만 명 = 50000 명;
        3억 원 = 300000000 원; 50 € = 50유로; 2023년 9월 1일 = 2023/9/1
        """,
        """
        5 kg ≠ 5그램; 20 km ≠ 20미터; 500원 ≠ 500달러; 5만 명 ≠ 5천 명; 3억 원 ≠ 3만 원;
        50유로 ≠ 50달러; 2023년 9월 1일 ≠ 2023/9/2
        """,
    ),
}


_ABOUT = tuple("about rund environ unos circa cerca около".split())


def pairs(sign: str) -> Iterator[tuple[str, str, str]]:
    for frame, same, others in QUANTITIES.values():
        for row in (same if sign == "=" else others).replace("\n", " ").split(";"):
            if not row.strip().endswith("|"):  # a note of what is the same text anyway
                one, other = row.split(f" {sign} ")
                yield frame, one.strip(), other.strip()


def places(frame: str, one: str, other: str) -> Iterator[tuple[str, str, str]]:
    """Yield texts, quotes and their passages; the quantity is inside, at the end, at the start."""
    before, after = frame.split("{}")
    for quoted, source in ((one, other), (other, one)):
        text = f"# I.\n\n{before}{source}{after}.\n\n* * *"
        yield text, f"{before}{quoted}{after}", f"{before}{source}{after}"
        yield text, f"{before}{quoted}", f"{before}{source}"
        if not source.startswith(_ABOUT):  # what precedes a quote is told by its framing
            yield text, f"{quoted}{after}", f"{source}{after}"


def found(quote: str, text: str) -> Match | None:
    return locate(quote, Sources({"s": text}))


class TestQuantities:
    def test_the_same_is_equivalent(self) -> None:
        wrong: list[str] = []
        for row in pairs("="):
            for text, quote, expected in places(*row):
                match = found(quote, text)
                # Of "ninety (90) days", a quote may begin with the figure, word for word.
                is_same = match is not None and match.accepted
                is_same = is_same and match.grade in ("equivalent", "normalized")
                if match is None or not is_same or match.text.strip(" .") not in expected:
                    wrong.append(f"{quote} | {expected} | {match and match.text}")
        assert not wrong, "\n".join(wrong)

    def test_another_is_rejected(self) -> None:
        wrong: list[str] = []
        for row in pairs("≠"):
            for text, quote, expected in places(*row):
                match = found(quote, text)
                if match is not None and match.accepted:
                    wrong.append(f"{quote} | {expected} | {match.grade} | {match.text}")
        assert not wrong, "\n".join(wrong)

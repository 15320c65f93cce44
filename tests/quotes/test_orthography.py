"""Number words and spellings of twenty languages: what is the same text, and what is not."""

# ruff: noqa: E501

from __future__ import annotations

from citeguard import Match, Sources, locate
from rows import each_row

# Figures and words, decimal marks and thousands: the same in both directions.
SAME_NUMBERS = [
    (
        "Bitte warten Sie mindestens fünf Minuten vor dem Start",
        "Bitte warten Sie mindestens 5 Minuten vor dem Start",
    ),
    (
        "Il travaille huit heures par jour dans le magasin",
        "Il travaille 8 heures par jour dans le magasin",
    ),
    ("年满十八周岁的公民都有选举权", "年满18周岁的公民都有选举权"),
    (
        "przesyłka liczy cztery palety i została wysłana",
        "przesyłka liczy 4 palety i została wysłana",
    ),
    ("Die Frist beträgt ein Jahr nach dem Kauf", "Die Frist beträgt 1 Jahr nach dem Kauf"),
    ("阳性率由上周的23.6％降至17.9％", "阳性率由上周的百分之23.6降至百分之17.9"),
    (
        "Enflasyon bu yıl yüzde 5 oldu ve daha da artacak",
        "Enflasyon bu yıl %5 oldu ve daha da artacak",
    ),
    ("Etwa 5 Prozent der Leute sind nicht gekommen", "Etwa 5 % der Leute sind nicht gekommen"),
    ("Цены выросли на 5 процентов за год", "Цены выросли на 5% за год"),
    (
        "بارتفاع نسبته 18% على أساس سنوي، في حين سجلت الميزانية",
        "بارتفاع نسبته 18 بالمئة على أساس سنوي، في حين سجلت الميزانية",
    ),
    (
        "Η ανεργία υποχώρησε στο 10,8% τον Απρίλιο του έτους",
        "Η ανεργία υποχώρησε στο 10.8 τοις εκατό τον Απρίλιο του έτους",
    ),
    (
        "The city has 1,25,000 people in all of its wards",
        "The city has 125000 people in all of its wards",
    ),
    (
        "αντί μηνιαίου μισθώματος 640,00 € από το μισθωτή",
        "αντί μηνιαίου μισθώματος 640 € από το μισθωτή",
    ),
    (
        "Die Miete beträgt 1.250,00 € im Monat und ist fällig",
        "Die Miete beträgt 1250 € im Monat und ist fällig",
    ),
    (
        "un salaire brut mensuel de 2 147,60 € pour un mois",
        "un salaire brut mensuel de 2\u202f147,60 € pour un mois",
    ),
    (
        "un salaire brut mensuel de 2 147,60 € pour un mois",
        "un salaire brut mensuel de 2147,60 € pour un mois",
    ),
    (
        "la tasa subió un 0,8 % en febrero respecto a enero",
        "la tasa subió un 0.8 % en febrero respecto a enero",
    ),
    (
        "средняя ставка окажется в диапазоне 17,0–20,0% годовых",
        "средняя ставка окажется в диапазоне 17.0-20.0 % годовых",
    ),
    ("हमने पाँच नावें और भेजी हैं।", "हमने 5 नावें और भेजी हैं।"),
    ("أُنجزت في قلعة ابن سلامة في خمسة أشهر من السنة", "أنجزت في قلعة ابن سلامة في 5 أشهر من السنة"),
    (
        "يلتزم الطرف بسداد مبلغ ١٢٠٬٠٠٠ ريال على أربع دفعات متساوية",
        "يلتزم الطرف بسداد مبلغ 120,000 ريال على 4 دفعات متساوية",
    ),
    (
        "Depozito 2 aylık kira tutarındadır ve geri ödenir",
        "Depozito iki aylık kira tutarındadır ve geri ödenir",
    ),
    ("La cura dura tre giorni e non di più", "La cura dura 3 giorni e non di più"),
    ("O contrato tem vinte e dois meses de prazo", "O contrato tem 22 meses de prazo"),
    (
        "De vergadering duurde vijfentwintig minuten en was saai",
        "De vergadering duurde 25 minuten en was saai",
    ),
    ("Договір діє п'ять років з дня підписання", "Договір діє 5 років з дня підписання"),
    ("Работа заняла двадцать пять дней и две ночи", "Работа заняла 25 дней и 2 ночи"),
    (
        "Cuộc họp kéo dài ba ngày và có hai mươi người tham dự",
        "Cuộc họp kéo dài 3 ngày và có 20 người tham dự",
    ),
    (
        "회의에는 다섯 명이 참석했고 세 시간 동안 진행되었다",
        "회의에는 5 명이 참석했고 3 시간 동안 진행되었다",
    ),
    ("十六の、内気な妹と二人暮らしだ。それで困る", "16の、内気な妹と2人暮らしだ。それで困る"),
    ("มีผู้เข้าร่วมประชุมห้าคนในวันนี้และพรุ่งนี้", "มีผู้เข้าร่วมประชุม5คนในวันนี้และพรุ่งนี้"),
    ("Η άδεια διαρκεί είκοσι ημέρες από σήμερα", "Η άδεια διαρκεί 20 ημέρες από σήμερα"),
    ("El curso dura treinta y cinco días en total", "El curso dura 35 días en total"),
    ("Le prix est de quatre-vingt-dix-sept euros par an", "Le prix est de 97 euros par an"),
    (
        "Er verdient zweitausend Euro im Monat und mehr nicht",
        "Er verdient 2000 Euro im Monat und mehr nicht",
    ),
    (
        "No tome más de 6 cápsulas (3.450 mg) en un día",
        "No tome más de 6 cápsulas (3450 mg) en un día",
    ),
    (
        "Οι άνεργοι ανήλθαν σε 509.822 άτομα, μειωμένοι κατά 3,2% σε ετήσια βάση.",
        "Οι άvεργοι ανήλθαν σε 509822 άτομα, μειωμένοι κατά 3,2 % σε ετήσια βάση.",
    ),
]
# Other spellings of the same letters, throughout a text.
SAME_LETTERS = [
    ("The file is 25 ΜB in size and was sent", "The file is 25 MB in size and was sent"),
    ("The Tоyоta plant closed in May of that year", "The Toyota plant closed in May of that year"),
    (
        "propagated Ca2+ signals 3-fold faster than their hosts",
        "propagated Ca²⁺ signals 3-fold faster than their hosts",
    ),
    (
        "सभी मनुष्यों को जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
        "सभी मनुष्यों को जन्मजात स्वतंत्रता और समानता प्राप्त है।",
    ),
    (
        "Органы законодательной, исполнительной и судебной власти самостоятельны.",
        "Oргaны законодательной, исполнительной и судебной власти сaмостоятельны.",
    ),
    ("Все счастливые семьи похожи друг на друга", "Все счастли́вые семьи похо́жи друг на друга"),
    ("Хранить при температуре не выше +25 °С.", "Хранить при температуре не выше +25 ℃."),
    (
        "Κανένας δεν συλλαμβάνεται ούτε φυλακίζεται χωρίς αιτιολογημένο δικαστικό ένταλμα",
        "Κανένας δὲν συλλαμβάνεται οὔτε φυλακίζεται χωρὶς αἰτιολογημένο δικαστικὸ ἔνταλμα",
    ),
    ("プリンタのユーザ名とパスワードを入力します。", "ﾌﾟﾘﾝﾀのユーザ名とパスワードを入力します。"),
    (
        "هيئة مكونة من مائة عضو رفضت المشروع القديم",
        "هيئة مكونة من مئة عضو رفضت المشروع القديم",
    ),
    (
        "المسئولون بدأوا العمل في شئون الموظفين الجدد",
        "المسؤولون بدؤوا العمل في شؤون الموظفين الجدد",
    ),
    (
        "لم يقل المدير أي شئ عن رؤساء الأقسام الجدد",
        "لم يقل المدير أي شيء عن رؤساء الأقسام الجدد",
    ),
    (
        "خانهٔ پدری او در تهران است و فروخته شد",
        "خانه‌ی پدری او در تهران است و فروخته شد",
    ),
]
SAME_SPELLING = [
    ("Sie sah den ungeheueren Berg am Rande", "Sie sah den ungeheuren Berg am Rande"),
    ("Er thut es für einen Theil des Geldes", "Er tut es für einen Teil des Geldes"),
    (
        "הוועדה דנה אתמול בנושא התכנית והחליטה להמשיך",
        "הוועדה דנה אתמול בנושא התוכנית והחליטה להמשיך",
    ),
    (
        "Die Würde des Menschen ist unantastbar. Sie zu achten und zu schützen ist Verpflichtung",
        "Die Wuerde des Menschen ist unantastbar. Sie zu achten und zu schuetzen ist Verpflichtung",
    ),
    (
        "gegen die verfassungsmäßige Ordnung oder das Sittengesetz verstößt",
        "gegen die verfassungsmässige Ordnung oder das Sittengesetz verstösst",
    ),
    (
        "यमुना का जलस्तर 205.48 मीटर तक पहुँच गया है, जो ख़तरे के निशान से ऊपर है।",
        "यमुना का जलस्तर 205.48 मीटर तक पहुंच गया है, जो खतरे के निशान से ऊपर है।",
    ),
    (
        "העתון מספר על בקור השר בכפר הקטן ביום שני",
        "העיתון מספר על ביקור השר בכפר הקטן ביום שני",
    ),
    (
        "המנהל דבר על שפור השירות ועל קצור התורים",
        "המנהל דיבר על שיפור השירות ועל קיצור התורים",
    ),
    (
        "مسئله مهم این است که دولت پاسخ نداد",
        "مسأله مهم این است که دولت پاسخ نداد",
    ),
    (
        "會議紀錄指出，政府將於明年實施新的法規",
        "会议纪录指出，政府将于明年实施新的法规",
    ),
    (
        "她的頭髮又長又黑，髮梢微微捲起",
        "她的头发又长又黑，发梢微微卷起",
    ),
    (
        "皇后坐在轎子裡，後面跟著許多隨從",
        "皇后坐在轿子里，后面跟着许多随从",
    ),
    (
        "國家圖書館每天開放到九點",
        "国家圖書館每天開放到九點",
    ),
    (
        "香港衞生署説，疫苗劑量充裕",
        "香港衛生署說，疫苗劑量充裕",
    ),
    (
        "銀行存款餘額為三萬元",
        "银行存款余额为3万元",
    ),
]
# (a source, a quote without the marks of its letters)
WITHOUT_MARKS = [
    (
        "Przyrodzona i niezbywalna godność człowieka stanowi źródło wolności i praw człowieka i obywatela.",
        "Przyrodzona i niezbywalna godnosc czlowieka stanowi zrodlo wolnosci i praw czlowieka i obywatela.",
    ),
    (
        "El año pasado la economía creció más que el país vecino",
        "El ano pasado la economia crecio mas que el pais vecino",
    ),
    (
        "İnsan hakları ve özgürlükleri güvence altındadır",
        "Insan haklari ve ozgurlukleri guvence altindadir",
    ),
    (
        "Această hotărâre se aplică și în județul nostru",
        "Aceasta hotarare se aplica si in judetul nostru",
    ),
    (
        "La décision a été prise après l’été par le comité",
        "La decision a ete prise apres l’ete par le comite",
    ),
]
DIFFERENT = [
    ("הוועדה דנה אתמול בנושא חדשים והחליטה להמשיך", "הוועדה דנה אתמול בנושא חודשים והחליטה להמשיך"),
    ("The coefficient ρ rose in the winter", "The coefficient p rose in the winter"),
    (
        "Bitte warten Sie mindestens fünf Minuten vor dem Start",
        "Bitte warten Sie mindestens 6 Minuten vor dem Start",
    ),
    (
        "Il travaille huit heures par jour dans le magasin",
        "Il travaille 9 heures par jour dans le magasin",
    ),
    ("年满十八周岁的公民都有选举权", "年满19周岁的公民都有选举权"),
    ("年满十八周岁的公民都有选举权", "年满80周岁的公民都有选举权"),
    (
        "przesyłka liczy cztery palety i została wysłana",
        "przesyłka liczy 14 palety i została wysłana",
    ),
    ("Der Preis beträgt 1.250 Euro pro Stück", "Der Preis beträgt 1,25 Euro pro Stück"),
    (
        "Enflasyon bu yıl yüzde 5 oldu ve daha da artacak",
        "Enflasyon bu yıl %15 oldu ve daha da artacak",
    ),
    ("Etwa 5 Prozent der Leute sind nicht gekommen", "Etwa 5 der Leute sind nicht gekommen"),
    ("Etwa 5 Prozentpunkte mehr als im Vorjahr waren es", "Etwa 5 % mehr als im Vorjahr waren es"),
    (
        "la tasa subió un 0,8 % en febrero respecto a enero",
        "la tasa subió un 8 % en febrero respecto a enero",
    ),
    ("un salaire brut de 2 147,60 € pour un mois", "un salaire brut de 214,760 € pour un mois"),
    ("हमने पाँच नावें और भेजी हैं।", "हमने 15 नावें और भेजी हैं।"),
    ("في قلعة ابن سلامة في خمسة أشهر من السنة", "في قلعة ابن سلامة في 15 أشهر من السنة"),
    ("El curso dura treinta y cinco días en total", "El curso dura 30 días en total"),
    ("El curso dura treinta y cinco días en total", "El curso dura 35 horas en total"),
    ("Tu sei una persona molto gentile e simpatica", "Tu 6 una persona molto gentile e simpatica"),
    ("C'est un nouveau livre neuf pour les enfants", "C'est un nouveau livre 9 pour les enfants"),
    ("Das ist ein Haus mit einem Garten", "Das ist 1 Haus mit einem Garten"),
    ("Năm nay chúng tôi không đi du lịch", "5 nay chúng tôi không đi du lịch"),
    ("Работа заняла двадцать пять дней", "Работа заняла 20 дней"),
    ("Работа заняла двадцать пять дней и ещё ночь", "Работа заняла 25 часов и ещё ночь"),
    ("De prijs is 1.250 euro per stuk", "De prijs is 1.25 euro per stuk"),
    ("The value is 1.250 in the table of results", "The value is 1250 in the table of results"),
    ("Der Wert liegt bei 0,125 und steigt weiter", "Der Wert liegt bei 125 und steigt weiter"),
    ("Version 2.00 of the tool was released", "Version 2 of the tool was released"),
    ("Er würde kommen, wenn er könnte", "Er wurde kommen, wenn er könnte"),
    ("Er würde kommen, wenn er Zeit hätte", "Er wurde kommen, wenn er Zeit hatte"),
    ("Die Maße sind bekannt dort", "Die Masse sind bekannt dort"),
    ("Herr Müller kam gestern nicht zur Arbeit", "Herr Mueller kam gestern nach Hause"),
    ("Die Funktion ist f(x) = x² und mehr nicht", "Die Funktion ist f(x) = x2 und mehr nicht"),
    ("El habló con ella ayer por la tarde", "El hablo con ella ayer por la tarde"),
    ("उसका राज़ सबको पता चल गया था", "उसका राज सबको पता चल गया था"),
    ("वह हंस देखकर चला गया था", "वह हँस देखकर चला गया था"),
    ("Старый за́мок стоит на горе", "Старый замо́к стоит на горе"),
    ("Ξέρω πώς ήρθε εχθές στο σπίτι", "Ξέρω πως ήρθε εχθές στο σπίτι"),
    ("propagated Ca2+ signals faster than hosts", "propagated Ca2- signals faster than hosts"),
    ("a field of 5 m² in the north", "a field of 5 m3 in the north"),
    ("Die Würde des Menschen ist groß und schön", "Die Wuerde des Menschen ist gross und klein"),
    ("ハハとパパはどちらもここにいます", "ババとパパはどちらもここにいます"),
    ("The plot measures 450 m² in all", "The plot measures 450 m2 in all"),
    (
        "הוא כתב מכתב ושלח אותו אל העיתון",
        "הוא כותב מכתב ושולח אותו אל העיתון",
    ),
    (
        "הוועדה דנה בבעיות שכונת התקווה ועירית העיר",
        "הוועדה דנה בבעיות שכונות התקווה ועיריות העיר",
    ),
    (
        "השר אסר על כניסה ושמר על הסדר במקום",
        "השר אסור על כניסה ושמור על הסדר במקום",
    ),
    (
        "החברה יצאה למכרז והמוצר יצא לשוק החדש",
        "החברה ייצאה למכרז והמוצר ייצא לשוק החדש",
    ),
    (
        "הילד ספר את הכסף פעמיים בבית",
        "הילד סיפר את הכסף פעמיים בבית",
    ),
    (
        "دفع الرجل مئتي دينار ثمن الكتاب القديم",
        "دفع الرجل مئة دينار ثمن الكتاب القديم",
    ),
    (
        "بدأ العمل في المشروع الكبير يوم الأحد",
        "بدأوا العمل في المشروع الكبير يوم الأحد",
    ),
    (
        "他買了一碗牛肉麵，加了許多辣椒",
        "他買了一碗牛肉面，加了許多辣椒",
    ),
    (
        "她的頭髮長得很快，每月都要修剪",
        "她的頭發長得很快，每月都要修剪",
    ),
    (
        "皇后来了以后，大家都站了起来",
        "皇後来了以后，大家都站了起来",
    ),
    (
        "他曆史很好，數學也好",
        "他歷史很好，數學也好",
    ),
    (
        "里長說，村里的人都同意",
        "裡長說，村裡的人都同意",
    ),
    (
        "他站著看書，後來睡著了",
        "他坐着看书，后来睡着了",
    ),
    (
        "萬先生買了一千股",
        "万先生买了一万股",
    ),
]


def _match(source: str, quote: str) -> Match | None:
    return locate(quote, Sources({"s": source}))


def _is_accepted(source: str, quote: str) -> bool:
    match = _match(source, quote)
    return match is not None and match.accepted


@each_row("one, other", SAME_NUMBERS)
def test_numbers_are_the_same_in_words(one: str, other: str) -> None:
    assert _is_accepted(one, other)
    assert _is_accepted(other, one)


@each_row("one, other", SAME_LETTERS)
def test_spellings_of_letters_are_typography(one: str, other: str) -> None:
    for source, quote in ((one, other), (other, one)):
        match = _match(source, quote)
        assert match is not None
        assert match.grade == "normalized"


@each_row("one, other", SAME_SPELLING)
def test_spellings_of_words_are_equivalent(one: str, other: str) -> None:
    for source, quote in ((one, other), (other, one)):
        match = _match(source, quote)
        assert match is not None
        assert match.grade == "equivalent"


@each_row("source, quote", WITHOUT_MARKS)
def test_a_whole_quote_may_lack_the_marks_of_its_letters(source: str, quote: str) -> None:
    assert _is_accepted(source, quote)


@each_row("one, other", DIFFERENT)
def test_other_words_and_numbers_stay_changes(one: str, other: str) -> None:
    assert not _is_accepted(one, other)
    assert not _is_accepted(other, one)

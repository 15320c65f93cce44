"""Tables of words by language, and which language a text is in."""

from citeguard.language.lexicon import find_lexicon, load_lexicon

SENTENCES = {
    "en": (
        "The harbour was closed.",
        "Nobody came to the meeting on Monday.",
        "Prices rose by a third last year, and so did wages.",
        "He was born in Café Müller.",
    ),
    "de": (
        "Das Mittel ist sicher.",
        "Niemand kam zur Sitzung am Montag.",
        "Die Preise stiegen um ein Drittel, die Löhne auch.",
        "Der Hafen blieb geschlossen.",
    ),
    "fr": (
        "Le port est fermé.",
        "Personne n'est venu à la réunion lundi.",
        "Les prix ont augmenté d'un tiers l'an dernier.",
        "Il s'agit d'une erreur.",
    ),
    "es": (
        "El puerto está cerrado.",
        "Nadie vino a la reunión del lunes.",
        "Los precios subieron un tercio el año pasado.",
        "Se trata de un error.",
    ),
    "it": (
        "Il porto è chiuso.",
        "Nessuno è venuto alla riunione di lunedì.",
        "I prezzi sono aumentati di un terzo.",
        "Si tratta di un errore.",
    ),
    "pt": (
        "O porto está fechado.",
        "Ninguém veio à reunião de segunda-feira.",
        "Os preços subiram um terço no ano passado.",
        "Trata-se de um erro.",
    ),
    "nl": (
        "De haven is gesloten.",
        "Niemand kwam op maandag naar de vergadering.",
        "De prijzen stegen vorig jaar met een derde.",
        "Het gaat om een fout.",
    ),
    "ro": (
        "Portul este închis.",
        "Nimeni nu a venit la ședința de luni.",
        "Prețurile au crescut cu o treime anul trecut.",
        "Este vorba de o greșeală.",
    ),
    "pl": (
        "Port jest zamknięty.",
        "Nikt nie przyszedł na poniedziałkowe zebranie.",
        "Ceny wzrosły o jedną trzecią w zeszłym roku.",
        "Chodzi o błąd w umowie.",
    ),
    "tr": (
        "Liman bugün kapalı.",
        "Pazartesi günkü toplantıya kimse gelmedi.",
        "Fiyatlar geçen yıl üçte bir oranında arttı.",
        "Bu bir hata olarak görülüyor.",
    ),
    "vi": (
        "Cảng đã đóng cửa.",
        "Không ai đến dự cuộc họp hôm thứ Hai.",
        "Giá cả tăng một phần ba vào năm ngoái.",
        "Đây là một sai lầm.",
    ),
    "ru": (
        "Порт был закрыт.",
        "Никто не пришёл на собрание в понедельник.",
        "Цены выросли на треть за прошлый год.",
        "Это была ошибка.",
    ),
    "uk": (
        "Порт було закрито.",
        "Ніхто не прийшов на збори в понеділок.",
        "Ціни зросли на третину за минулий рік.",
        "Це була помилка.",
    ),
    "el": (
        "Το λιμάνι έκλεισε.",
        "Κανείς δεν ήρθε στη συνάντηση της Δευτέρας.",
        "Οι τιμές αυξήθηκαν κατά ένα τρίτο.",
    ),
    "ar": (
        "الميناء مغلق اليوم.",
        "لم يحضر أحد اجتماع يوم الاثنين.",
        "ارتفعت الأسعار بمقدار الثلث في العام الماضي.",
    ),
    "hi": (
        "बंदरगाह बंद है।",
        "सोमवार की बैठक में कोई नहीं आया।",
        "पिछले साल कीमतें एक तिहाई बढ़ीं।",
    ),
    "th": ("ท่าเรือปิดแล้ว", "ไม่มีใครมาประชุมวันจันทร์", "ราคาเพิ่มขึ้นหนึ่งในสามเมื่อปีที่แล้ว"),
    "zh": (
        "港口已经关闭。",
        "星期一的会议没有人来。",
        "去年物价上涨了三分之一。",
        "《さくら》是一首歌曲的名字，在日本流行。",
    ),
    "ja": (
        "港は閉鎖された。",
        "月曜日の会議には誰も来なかった。",
        "昨年、物価は三分の一上昇した。",
    ),
    "ko": (
        "항구가 폐쇄되었다.",
        "월요일 회의에 아무도 오지 않았다.",
        "작년에 물가가 3분의 1 올랐다.",
    ),
}
FOREIGN = {
    "fi": (
        "Satama on suljettu.",
        "Kukaan ei tullut kokoukseen maanantaina.",
        "Hinnat nousivat kolmanneksen viime vuonna.",
    ),
    "hu": (
        "A kikötő zárva van.",
        "Senki sem jött el a hétfői ülésre.",
        "Az árak egyharmadával emelkedtek tavaly.",
    ),
    "sv": (
        "Hamnen är stängd.",
        "Ingen kom till mötet på måndagen.",
        "Priserna steg med en tredjedel förra året.",
    ),
    "cs": (
        "Přístav je zavřený.",
        "Nikdo nepřišel na pondělní schůzi.",
        "Ceny loni vzrostly o třetinu.",
    ),
    "id": (
        "Pelabuhan itu ditutup.",
        "Tidak ada yang datang ke rapat hari Senin.",
        "Harga naik sepertiga pada tahun lalu.",
    ),
    "fa": ("بندر بسته است.", "هیچ‌کس به جلسه دوشنبه نیامد.", "قیمت‌ها سال گذشته یک سوم افزایش یافت."),
    "ur": (
        "بندرگاہ بند ہے۔",
        "پیر کے اجلاس میں کوئی نہیں آیا۔",
        "پچھلے سال قیمتیں ایک تہائی بڑھ گئیں۔",
    ),
    "da": (
        "Havnen er lukket.",
        "Ingen kom til mødet om mandagen.",
        "Priserne steg med en tredjedel sidste år.",
    ),
}


class TestFindLexicon:
    def test_finds_the_language(self) -> None:
        rows = [(code, text) for code, texts in SENTENCES.items() for text in texts]
        wrong = [
            (code, text) for code, text in rows if find_lexicon(text) is not load_lexicon(code)
        ]
        assert len(wrong) <= 0.02 * len(rows), wrong

    def test_none_without_tables_for_the_language(self) -> None:
        rows = [text for texts in FOREIGN.values() for text in texts]
        found = [(each.code, text) for text in rows if (each := find_lexicon(text))]
        assert not found

    def test_none_without_words(self) -> None:
        assert find_lexicon("12.5 % — …") is None
        assert find_lexicon("Kowalski Schmidt Dupont") is None

"""Which language a text is in."""

from citeguard.language.lexicon import find_lexicon
from quotes.tables import rows

# The code, or "-" for a language without all tables.
SENTENCES = rows("""
en | The harbour was closed.
en | Nobody came to the meeting on Monday.
en | Prices rose by a third last year, and so did wages.
en | He was born in Café Müller.
de | Das Mittel ist sicher.
de | Niemand kam zur Sitzung am Montag.
de | Die Preise stiegen um ein Drittel, die Löhne auch.
de | Der Hafen blieb geschlossen.
fr | Le port est fermé.
fr | Personne n'est venu à la réunion lundi.
fr | Les prix ont augmenté d'un tiers l'an dernier.
fr | Il s'agit d'une erreur.
es | El puerto está cerrado.
es | Nadie vino a la reunión del lunes.
es | Los precios subieron un tercio el año pasado.
es | Se trata de un error.
it | Il porto è chiuso.
it | Nessuno è venuto alla riunione di lunedì.
it | I prezzi sono aumentati di un terzo.
it | Si tratta di un errore.
pt | O porto está fechado.
pt | Ninguém veio à reunião de segunda-feira.
pt | Os preços subiram um terço no ano passado.
pt | Trata-se de um erro.
nl | De haven is gesloten.
nl | Niemand kwam op maandag naar de vergadering.
nl | De prijzen stegen vorig jaar met een derde.
nl | Het gaat om een fout.
ro | Portul este închis.
ro | Nimeni nu a venit la ședința de luni.
ro | Prețurile au crescut cu o treime anul trecut.
ro | Este vorba de o greșeală.
pl | Port jest zamknięty.
pl | Nikt nie przyszedł na poniedziałkowe zebranie.
pl | Ceny wzrosły o jedną trzecią w zeszłym roku.
pl | Chodzi o błąd w umowie.
tr | Liman bugün kapalı.
tr | Pazartesi günkü toplantıya kimse gelmedi.
tr | Fiyatlar geçen yıl üçte bir oranında arttı.
tr | Bu bir hata olarak görülüyor.
vi | Cảng đã đóng cửa.
vi | Không ai đến dự cuộc họp hôm thứ Hai.
vi | Giá cả tăng một phần ba vào năm ngoái.
vi | Đây là một sai lầm.
ru | Порт был закрыт.
ru | Никто не пришёл на собрание в понедельник.
ru | Цены выросли на треть за прошлый год.
ru | Это была ошибка.
uk | Порт було закрито.
uk | Ніхто не прийшов на збори в понеділок.
uk | Ціни зросли на третину за минулий рік.
uk | Це була помилка.
el | Το λιμάνι έκλεισε.
el | Κανείς δεν ήρθε στη συνάντηση της Δευτέρας.
el | Οι τιμές αυξήθηκαν κατά ένα τρίτο.
ar | الميناء مغلق اليوم.
ar | لم يحضر أحد اجتماع يوم الاثنين.
ar | ارتفعت الأسعار بمقدار الثلث في العام الماضي.
hi | बंदरगाह बंद है।
hi | सोमवार की बैठक में कोई नहीं आया।
hi | पिछले साल कीमतें एक तिहाई बढ़ीं।
th | ท่าเรือปิดแล้ว
th | ไม่มีใครมาประชุมวันจันทร์
th | ราคาเพิ่มขึ้นหนึ่งในสามเมื่อปีที่แล้ว
zh | 港口已经关闭。
zh | 星期一的会议没有人来。
zh | 去年物价上涨了三分之一。
zh | 《さくら》是一首歌曲的名字，在日本流行。
ja | 港は閉鎖された。
ja | 月曜日の会議には誰も来なかった。
ja | 昨年、物価は三分の一上昇した。
ko | 항구가 폐쇄되었다.
ko | 월요일 회의에 아무도 오지 않았다.
ko | 작년에 물가가 3분의 1 올랐다.
- | Satama on suljettu.
- | Kukaan ei tullut kokoukseen maanantaina.
- | Hinnat nousivat kolmanneksen viime vuonna.
- | A kikötő zárva van.
- | Senki sem jött el a hétfői ülésre.
- | Az árak egyharmadával emelkedtek tavaly.
- | Hamnen är stängd.
- | Ingen kom till mötet på måndagen.
- | Priserna steg med en tredjedel förra året.
- | Přístav je zavřený.
- | Nikdo nepřišel na pondělní schůzi.
- | Ceny loni vzrostly o třetinu.
- | Pelabuhan itu ditutup.
- | Tidak ada yang datang ke rapat hari Senin.
- | Harga naik sepertiga pada tahun lalu.
- | بندر بسته است.
- | هیچ‌کس به جلسه دوشنبه نیامد.
- | قیمت‌ها سال گذشته یک سوم افزایش یافت.
- | بندرگاہ بند ہے۔
- | پیر کے اجلاس میں کوئی نہیں آیا۔
- | پچھلے سال قیمتیں ایک تہائی بڑھ گئیں۔
- | Havnen er lukket.
- | Ingen kom til mødet om mandagen.
- | Priserne steg med en tredjedel sidste år.
""")


def test_a_short_text_shows_its_language() -> None:
    found = [(lexicon.code if (lexicon := find_lexicon(text)) else "-") for _, text in SENTENCES]
    wrong = [text for (code, text), own in zip(SENTENCES, found, strict=True) if code != own]
    assert len(wrong) <= 0.02 * len(SENTENCES), wrong
    assert not [own for (code, _), own in zip(SENTENCES, found, strict=True) if code == "-" != own]


def test_without_words_nothing_does() -> None:
    assert find_lexicon("12.5 % — …") is None
    assert find_lexicon("Kowalski Schmidt Dupont") is None

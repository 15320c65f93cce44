"""What the sentence around a quote does to it."""

from __future__ import annotations

from citeguard.quotes.framing import find_framing

# By language: a kind, then sentences in which the quote is in double square brackets.
FRAMED = """
en
denied | It is false that [[the drug is safe for children]].
denied | No study has shown that [[the drug is safe for children]].
attributed | The company claims that [[the drug is safe for children]].
attributed | [[The drug is safe for children]], according to the company.
conditional | If [[the drug is safe for children]], it will be sold.
conditional | [[The drug is safe for children]], provided that it is kept cool.
asked | Doctors wonder whether [[the drug is safe for children]].
asked | Is it true that [[the drug is safe for children]]?
de
denied | Es ist falsch, dass [[das Mittel für Kinder sicher ist]].
denied | [[Das Mittel ist für Kinder sicher]], ist ein Mythos.
attributed | Der Hersteller behauptet, dass [[das Mittel für Kinder sicher ist]].
attributed | [[Das Mittel ist für Kinder sicher]], sagte der Sprecher.
conditional | Falls [[das Mittel für Kinder sicher ist]], wird es verkauft.
conditional | [[Das Mittel ist für Kinder sicher]], sofern man es kühl lagert.
asked | Die Ärzte fragen sich, ob [[das Mittel für Kinder sicher ist]].
asked | Stimmt es, dass [[das Mittel für Kinder sicher ist]]?
fr
denied | Il est faux que [[le médicament soit sans danger pour les enfants]].
denied | Personne n'a prouvé que [[le médicament est sans danger pour les enfants]].
attributed | Le fabricant affirme que [[le médicament est sans danger pour les enfants]].
attributed | Selon le fabricant, [[le médicament est sans danger pour les enfants]].
conditional | Si [[le médicament est sans danger pour les enfants]], il sera vendu.
conditional | [[Le médicament est sans danger pour les enfants]], à condition de le garder au frais.
asked | Les médecins se demandent si [[le médicament est sans danger pour les enfants]].
asked | Est-il vrai que [[le médicament est sans danger pour les enfants]] ?
es
denied | Es falso que [[el medicamento sea seguro para los niños]].
denied | Nadie ha demostrado que [[el medicamento es seguro para los niños]].
attributed | El fabricante afirma que [[el medicamento es seguro para los niños]].
attributed | [[El medicamento es seguro para los niños]], dijo el portavoz.
conditional | Si [[el medicamento es seguro para los niños]], se venderá.
conditional | [[El medicamento es seguro para los niños]], siempre que se guarde en frío.
asked | Los médicos se preguntan si [[el medicamento es seguro para los niños]].
asked | ¿Es cierto que [[el medicamento es seguro para los niños]]?
it
denied | È falso che [[il farmaco sia sicuro per i bambini]].
denied | Nessuno ha dimostrato che [[il farmaco è sicuro per i bambini]].
attributed | Il produttore sostiene che [[il farmaco è sicuro per i bambini]].
attributed | Secondo il produttore, [[il farmaco è sicuro per i bambini]].
conditional | Se [[il farmaco è sicuro per i bambini]], sarà venduto.
conditional | [[Il farmaco è sicuro per i bambini]], purché si conservi al fresco.
asked | I medici si chiedono se [[il farmaco è sicuro per i bambini]].
asked | È vero che [[il farmaco è sicuro per i bambini]]?
pt
denied | É falso que [[o remédio seja seguro para as crianças]].
denied | Ninguém provou que [[o remédio é seguro para as crianças]].
attributed | O fabricante afirma que [[o remédio é seguro para as crianças]].
attributed | [[O remédio é seguro para as crianças]], disse o porta-voz.
conditional | Se [[o remédio é seguro para as crianças]], será vendido.
conditional | [[O remédio é seguro para as crianças]], desde que seja guardado no frio.
asked | Os médicos perguntam se [[o remédio é seguro para as crianças]].
asked | É verdade que [[o remédio é seguro para as crianças]]?
nl
denied | Het is onwaar dat [[het middel veilig is voor kinderen]].
denied | Niemand heeft bewezen dat [[het middel veilig is voor kinderen]].
attributed | De fabrikant beweert dat [[het middel veilig is voor kinderen]].
attributed | [[Het middel is veilig voor kinderen]], zei de woordvoerder.
conditional | Als [[het middel veilig is voor kinderen]], wordt het verkocht.
conditional | [[Het middel is veilig voor kinderen]], mits het koel bewaard wordt.
asked | Artsen vragen zich af of [[het middel veilig is voor kinderen]].
asked | Klopt het dat [[het middel veilig is voor kinderen]]?
ro
denied | Este fals că [[medicamentul este sigur pentru copii]].
denied | Nimeni nu a dovedit că [[medicamentul este sigur pentru copii]].
attributed | Producătorul susține că [[medicamentul este sigur pentru copii]].
attributed | Potrivit producătorului, [[medicamentul este sigur pentru copii]].
conditional | Dacă [[medicamentul este sigur pentru copii]], va fi vândut.
conditional | [[Medicamentul este sigur pentru copii]], cu condiția să fie ținut la rece.
asked | Medicii se întreabă dacă [[medicamentul este sigur pentru copii]].
asked | Este adevărat că [[medicamentul este sigur pentru copii]]?
pl
denied | Nieprawdą jest, że [[lek jest bezpieczny dla dzieci]].
denied | Nikt nie udowodnił, że [[lek jest bezpieczny dla dzieci]].
attributed | Producent twierdzi, że [[lek jest bezpieczny dla dzieci]].
attributed | [[Lek jest bezpieczny dla dzieci]], powiedział rzecznik.
conditional | Jeśli [[lek jest bezpieczny dla dzieci]], trafi do sprzedaży.
conditional | [[Lek jest bezpieczny dla dzieci]], pod warunkiem że jest trzymany w chłodzie.
asked | Lekarze pytają, czy [[lek jest bezpieczny dla dzieci]].
asked | Czy to prawda, że [[lek jest bezpieczny dla dzieci]]?
ru
denied | Неправда, что [[препарат безопасен для детей]].
denied | Никто не доказал, что [[препарат безопасен для детей]].
attributed | Производитель утверждает, что [[препарат безопасен для детей]].
attributed | [[Препарат безопасен для детей]], сказал представитель.
conditional | Если [[препарат безопасен для детей]], его будут продавать.
conditional | [[Препарат безопасен для детей]], при условии что его хранят в холоде.
asked | Неизвестно, безопасен ли [[препарат для детей и подростков]].
asked | Правда ли, что [[препарат безопасен для детей]]?
uk
denied | Неправда, що [[препарат безпечний для дітей]].
denied | [[Препарат безпечний для дітей]] — це міф.
attributed | Виробник стверджує, що [[препарат безпечний для дітей]].
attributed | За словами виробника, [[препарат безпечний для дітей]].
conditional | Якщо [[препарат безпечний для дітей]], його продаватимуть.
conditional | [[Препарат безпечний для дітей]], за умови що його тримають у холоді.
asked | Невідомо, чи [[препарат безпечний для дітей]].
asked | Чи правда, що [[препарат безпечний для дітей]]?
el
denied | Είναι ψευδές ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]].
denied | Κανείς δεν απέδειξε ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]].
attributed | Η εταιρεία ισχυρίζεται ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]].
attributed | Σύμφωνα με την εταιρεία, [[το φάρμακο είναι ασφαλές για τα παιδιά]].
conditional | Αν [[το φάρμακο είναι ασφαλές για τα παιδιά]], θα πωληθεί.
conditional | [[Το φάρμακο είναι ασφαλές για τα παιδιά]], εφόσον φυλάσσεται στο ψυγείο.
asked | Οι γιατροί αναρωτιούνται αν [[το φάρμακο είναι ασφαλές για τα παιδιά]].
asked | Είναι αλήθεια ότι [[το φάρμακο είναι ασφαλές για τα παιδιά]];
tr
denied | [[İlacın çocuklar için güvenli olduğu]] iddiası doğru değildir.
denied | [[İlacın çocuklar için güvenli olduğu]] bir efsanedir.
attributed | [[İlacın çocuklar için güvenli olduğunu]] iddia ediyor üretici.
attributed | Üreticiye göre, [[ilaç çocuklar için güvenlidir]].
conditional | Eğer [[ilaç çocuklar için güvenli ise]], satışa çıkacak.
conditional | [[İlaç çocuklar için güvenlidir]], soğukta saklanması şartıyla.
asked | [[İlacın çocuklar için güvenli]] olup olmadığı araştırılıyor.
asked | [[İlaç çocuklar için güvenli]] mi?
ar
denied | ليس صحيحا أن [[الدواء آمن للأطفال]].
denied | لم يثبت أحد أن [[الدواء آمن للأطفال]].
attributed | تزعم الشركة أن [[الدواء آمن للأطفال]].
attributed | وفقا للشركة، [[الدواء آمن للأطفال]].
conditional | إذا [[كان الدواء آمنا للأطفال]] فسوف يباع.
conditional | [[الدواء آمن للأطفال]] بشرط أن يحفظ باردا.
asked | يتساءل الأطباء هل [[الدواء آمن للأطفال]].
asked | هل صحيح أن [[الدواء آمن للأطفال]]؟
hi
denied | यह सच नहीं है कि [[दवा बच्चों के लिए सुरक्षित है]]।
denied | [[दवा बच्चों के लिए सुरक्षित है]], यह झूठ है।
attributed | कंपनी का दावा है कि [[दवा बच्चों के लिए सुरक्षित है]]।
attributed | कंपनी के अनुसार, [[दवा बच्चों के लिए सुरक्षित है]]।
conditional | अगर [[दवा बच्चों के लिए सुरक्षित है]] तो वह बिकेगी।
conditional | [[दवा बच्चों के लिए सुरक्षित है]], बशर्ते वह ठंडी रखी जाए।
asked | डॉक्टर पूछते हैं कि क्या [[दवा बच्चों के लिए सुरक्षित है]]।
asked | क्या यह सच है कि [[दवा बच्चों के लिए सुरक्षित है]]?
vi
denied | Không đúng là [[thuốc này an toàn cho trẻ em]].
denied | Chưa ai chứng minh rằng [[thuốc này an toàn cho trẻ em]].
attributed | Công ty tuyên bố rằng [[thuốc này an toàn cho trẻ em]].
attributed | Theo công ty, [[thuốc này an toàn cho trẻ em]].
conditional | Nếu [[thuốc này an toàn cho trẻ em]], nó sẽ được bán.
conditional | [[Thuốc này an toàn cho trẻ em]], với điều kiện được giữ lạnh.
asked | Các bác sĩ tự hỏi liệu [[thuốc này an toàn cho trẻ em]].
asked | Có đúng là [[thuốc này an toàn cho trẻ em]] không?
th
denied | ไม่เป็นความจริงที่ว่า[[ยานี้ปลอดภัยสำหรับเด็ก]]
denied | [[ยานี้ปลอดภัยสำหรับเด็ก]]เป็นความเชื่อผิด
attributed | บริษัทอ้างว่า[[ยานี้ปลอดภัยสำหรับเด็ก]]
attributed | ตามรายงานของบริษัท [[ยานี้ปลอดภัยสำหรับเด็ก]]
conditional | ถ้า[[ยานี้ปลอดภัยสำหรับเด็ก]] ก็จะวางขาย
conditional | [[ยานี้ปลอดภัยสำหรับเด็ก]]หากเก็บในที่เย็น
asked | [[ยานี้ปลอดภัยสำหรับเด็ก]]หรือไม่
asked | แพทย์สงสัยว่า[[ยานี้ปลอดภัยสำหรับเด็ก]]หรือเปล่า
zh
denied | 没有证据表明[[这种药对儿童是安全的]]。
denied | [[这种药对儿童是安全的]]是谣言。
attributed | 公司声称[[这种药对儿童是安全的]]。
attributed | 据公司说，[[这种药对儿童是安全的]]。
conditional | 如果[[这种药对儿童是安全的]]，就会出售。
conditional | [[这种药对儿童是安全的]]，前提是冷藏。
asked | 医生想知道是否[[这种药对儿童是安全的]]。
asked | [[这种药对儿童是安全的]]吗？
ja
denied | [[この薬は子供に安全だ]]という証拠はない。
denied | [[この薬は子供に安全だ]]というのは嘘だ。
attributed | 会社は[[この薬は子供に安全だ]]と主張している。
attributed | 会社によると、[[この薬は子供に安全だ]]。
conditional | もし[[この薬が子供に安全]]なら、販売される。
conditional | [[この薬は子供に安全だ]]が条件付きで、冷やせばの話だ。
asked | [[この薬が子供に安全]]かどうかは不明だ。
asked | [[この薬は子供に安全です]]か？
ko
denied | [[이 약이 어린이에게 안전하다는]] 증거는 없다.
denied | [[이 약이 어린이에게 안전하다는]] 주장은 사실이 아니다.
attributed | 회사는 [[이 약이 어린이에게 안전하다고]] 주장했다.
attributed | 회사에 따르면, [[이 약은 어린이에게 안전하다]].
conditional | 만약 [[이 약이 어린이에게 안전하다면]], 판매될 것이다.
conditional | [[이 약은 어린이에게 안전하다]], 만일 차갑게 보관한다면.
asked | [[이 약이 어린이에게 안전한지]] 여부는 불분명하다.
asked | 정말 [[이 약이 어린이에게 안전합니까]]?
"""


def cut(sentence: str) -> tuple[str, int, int]:
    """Return a text without its brackets, and the interval that was in them."""
    before, rest = sentence.split("[[")
    quote, after = rest.split("]]")
    return before + quote + after, len(before), len(before) + len(quote)


def rows(table: str) -> list[tuple[str, str]]:
    lines = [line.split(" | ") for line in table.splitlines() if " | " in line]
    return [(kind, sentence) for kind, sentence in lines]


class TestFramed:
    def test_in_every_language(self) -> None:
        pairs = [(row, find_framing(*cut(row[1]))) for row in rows(FRAMED)]
        wrong = [(row, found) for row, found in pairs if not found or found.kind != row[0]]
        assert not wrong

"""Formulas are one text in LaTeX, in Unicode and on one line; of another value, they are not."""

import time

from citeguard.language.markup import find_noise
from quotes.tables import misjudged, rows

SAME = rows(r"""
The efficiency is E=1-C_out/C_in in all. | E=1-\\frac{C_{out}}{C_{in}}
The velocity v_s=((ρ_p-ρ_f)gd²)/(18μ) is small. | v_{s}=\\frac{(ρ_{p}-ρ_{f})gd^{2}}{18μ}
Error SE=s/√n here. | SE=\\frac{s}{\\sqrt{n}}
Error SE=s/(√n) here. | SE=\\frac{s}{\\sqrt{n}}
We need Re=(ρ_f v_s d)/μ<0.1 here. | Re=\\frac{ρ_{f}v_{s}d}{μ}<0.1
so x₁ is the first | x_{1}
so x_i is the first | x_{i}
so x_i is | xᵢ
Then x̅=5 holds. | $\\bar{x}=5$
Then θ̂=5 holds. | $\\hat{\\theta}=5$
So 1/2 of it is good. | \\frac{1}{2} of it
So ½ of it is good. | \\frac{1}{2} of it
so ∛x is | \\sqrt[3]{x}
Then u⃗ · ω⃗ = 0 holds. | \\vec{u} \\cdot \\vec{\\omega} = 0
The root \\sqrt{x+1} is. | √(x+1)
flux 10⁻¹⁷ erg s⁻¹ here | 10^{-17} erg s^{-1}
so x^(n+1) is the first | x^{n+1}
It is xⁿ⁺¹ here. | x^{n+1}
so a/b is | (a)/(b)
It is 1/(2n) here. | \\frac{1}{2n}
It is e^(-x/2) here. | e^{-x/2}
so σ² = (∑_(i=1)^n (x_i − x̄)²)/(n − 1) is | $\\sigma^2=\\frac{\\sum_{i=1}^{n}(x_i-\\bar{x})^2}{n-1}$
so (a+b)² is | \\left(a+b\\right)^2
so x = (-b±√(b²-4ac))/(2a) is | \\[x = \\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}\\]
so x = (-b±√(b²-4ac))/(2a) is | $$x = \\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}$$
so 90° is | 90^\\circ
so H₂O is | $\\mathrm{H_2O}$
so it is >or= 15 of them | is ≥ 15 of them
so 1/√(2πσ²) is | \\frac{1}{\\sqrt{2\\pi\\sigma^2}}
$x = \\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}$ is | x = (-b±√(b²-4ac))/(2a)
so ∂u/∂t = k is | \\frac{\\partial u}{\\partial t} = k
so lim_(x→0) f(x) = 1 is | \\lim_{x \\to 0} f(x) = 1
so ∫₀¹ f(x) dx = 2 is | \\int_0^1 f(x)\\,dx = 2
so (n choose k) = 3 is | \\binom{n}{k} = 3
so 1/2 x is | \\frac12 x
so (n − 1)/2 is | (n-1)/2
so e_t = c_t − α₁ i_t is | et = ct − α1 it
so e_t = ct − α_1 is | e_t = c_t − α_1
so we get g_N(θ_0) here | gN(θ0)
so S₀ = ∑_(i=1)^n ∑_(j=1)^n w_ij is | S₀ = Σᵢ₌₁ⁿ Σⱼ₌₁ⁿ wij
so S₀ = ∏_(i=1)^n w_ij is | S_0 = Π_{i=1}^n w_{ij}
so ∆i_t = ∆c_t + 1 is | Δit = Δct + 1
so v = ∑_(j=1)^n w_ij is | Σⱼ₌₁ⁿ wij
so w = 1/d_ij^α is | w = 1/dijᵅ
so g(θ) = 1/n ∑_(i=1)^n x_i is | g(θ) = (1/n) Σᵢ₌₁ⁿ xᵢ
so e = ∂E/∂v ∂v/∂t is | e = (∂E/∂v)(∂v/∂t)
so psi = A(z/γ₁)/A(z/γ₂) is | \\frac{A(z/\\gamma_1)}{A(z/\\gamma_2)}
so f(γ) = 2γ − 3 sin γ is | f(γ) = 2γ - 3 sin γ
so ψ_nk(r) = ∑_(i=0)^n x is | psi_nk(r) = sum_{i=0}^n x
so α_∞ + α_i = e^d(Y) is | α∞ + αᵢ = eᵈ(Y)
so y₁^(−r) is | y₁⁻ʳ
so p_k = a + p_(k−1) is | pₖ = a + pₖ₋₁
so g + δ_(j,k) is | g + δⱼ,ₖ
so z⁻¹ = 1 is | z^(-1) = 1
so f = e^iz is | f = e^(iz)
so q⊤C = q^⊤C is | qᵀC = q^T C
so K∗(x) ≥ c_γ is | K*(x) >= c_gamma
so β_2s = 1 is | β₂ₛ = 1
so ρ^′ = 2 is | ρ′ = 2
so it will be $1-p$ and $2 p (1-p)$ here | will be 1 − p and 2p(1 − p) here
so $S_{n}$ and $(1 - p)^{N_{T}}$ is | S_{n} and (1 - p)^{N_T} is
so w_i r_i = u_i^n is | wᵢrᵢ = uᵢⁿ
so A^T = e^x is | Aᵀ = eˣ
so X^⊤ΩX (X^⊤X)⁻¹ (4) is | X⊤ΩX(X⊤X)⁻¹
so X̂⊤Ω̂⁻¹ y is | X̂^⊤ Ω̂^-1 y
""")
OTHER = rows(r"""
The root √(x+1) is. | \\sqrt{x}+1
The root √(x+1) is. | √x+1
It is (a/(b+c)) here. | \\frac{a}{b}+c
It is a/b+c here. | \\frac{a}{b+c}
It is a+b/c here. | \\frac{a+b}{c}
It is a+b/c here. | (a+b)/c
It is (a+b)/c here. | a+b/c
so x^1 is the first | x_1
so x¹ is the first | x_1
so xn is the first | x^n
so x_n is the first | x^n
so x_n = 5 is the first | x_m = 5
so t = 3p/m² + 1 is | t = (3p/m)² + 1
so w = f(a/b) is | w = f a/b
so f(γ) = 2γ − 3 sin γ is | f(γ) = 2γ + 3 sin γ
so ψ_nk(r) is | phi_nk(r)
so p_k = a + p_(k−1) is | pₖ = a + pₖ₊₁
so K∗(x) ≥ c_γ is | K*(x) >= c_beta
so ∆x_i = 5 is here | δx_i = 5 is
we took 3(1/2) tablets | took 31/2 tablets
we took 2 (1/4) of it | took 2 1/4 of it
so 6÷(a/b) is | so 6÷a/b is
so 2**(1/2) is | so 2**1/2 is
so -(a/b)**2 is | so -a/b**2 is
so f^(n) = 0 is | so f^n = 0 is
so x_(1) ≤ x_(2) is | so x_1 ≤ x_2 is
so p ∨ ⊤ = p is | so p ∨ T = p is
Set x_int = 3 now | Set x∫ = 3 now
between $2/h-$.50/h in all | between 2/h-.50/h in all
so ∑ x_i = 5 is here | σ x_i = 5 is
so it costs $5 a day or $6 b here | costs 5 a day or 6 b here
so ∑_(i=1)^n w_ij is | Σᵢ₌₀ⁿ wij
so call x_i to set the name | call xi to set
so max_len = 5 is | maxlen = 5
so x_i+1 is the first | x_{i+1}
so x^n+1 is the first | x^{n+1}
Then a² + b² = c³ holds. | a^2 + b^2 = c^2
Then a² - b² = c² holds. | a^2 + b^2 = c^2
so √x is | \\sqrt[3]{x}
Then α ≥ β holds. | \\alpha \\le \\beta
Then b/a holds. | \\frac{a}{b}
Then x=5 holds. | \\bar{x}=5
Then x̅=5 holds. | \\hat{x}=5
Then u=5 holds. | \\vec{u}=5
flux 10⁻¹⁷ erg s⁻¹ here | 10^{17} erg s^{-1}
So the slope is √n here. | So the slope is -\\sqrt{n} here.
So the slope is −(a+b)/c here. | So the slope is (a+b)/c here.
So the slope is (a+b)/c here. | So the slope is −(a+b)/c here.
So it is xⁿ⁺¹ here. | So it is x^{n}
So it is xⁿ⁺¹ here. | So it is xⁿ
So it is x²³ here. | So it is x²
So 1-(a+b) is. | 1-a+b
So 1-a+b is. | 1-(a+b)
So a/(b+c) is. | a/b+c
So a/b+c is. | a/(b+c)
So 2a+b is. | 2(a+b)
So 2(a+b) is. | 2a+b
So a·(b+c) is. | a·b+c
So k(x)−y² is. | k(x−y)²
So f(x)+1 is. | f(x+1)
So x^n+1 is. | x^(n+1)
So e^−x/2 is. | e^(−x/2)
So n!/k!(n−k)! is. | n!/(k!(n−k)!)
It is (a)/(b+c) here. | a/b+c
It is 1/2n here. | \\frac{1}{2n}
It is a/(b+c) here. | \\frac{a}{b}
It is √(x+1) here. | \\sqrt{x}+1
It is x here. | \\sqrt{x}
It is √a+b here. | \\sqrt{a+b}
It is x^1 here. | x_{1}
It is x₂ here. | x^{2}
It is x³ here. | x^{2}
It is y = a/b here. | y = -\\frac{a}{b}
It is 1-a+b here. | 1-(a+b)
It is 1 - a + b here. | 1 - (a + b)
It is a·b+c here. | a·(b+c)
It is e^-x/2 here. | e^{-x/2}
so σ²=(∑_(i=1)^n(x_i-x̄)²)/(n+1) is | \\sigma^2=\\frac{\\sum_{i=1}^{n}(x_i-\\bar{x})^2}{n-1}
so σ²=(∑_(i=1)^n(x_i-x̂)²)/(n-1) is | \\sigma^2=\\frac{\\sum_{i=1}^{n}(x_i-\\bar{x})^2}{n-1}
so σ²=(∑_(i=0)^n(x_i-x̄)²)/(n-1) is | \\sigma^2=\\frac{\\sum_{i=1}^{n}(x_i-\\bar{x})^2}{n-1}
so a+b² is | \\left(a+b\\right)^2
so C:\\right is | C:\\left
so (n-1)/2 is | (n+1)/2
so y = n-1 is | n+1
so x^(n+1) is | x^n
so (n-1)/2 is | (n1)/2
""")


def test_a_formula_is_one_text_in_every_notation() -> None:
    assert misjudged(same=SAME) == []


def test_a_formula_of_another_value_is_no_quote() -> None:
    assert misjudged(changed=OTHER) == []


def test_reading_takes_linear_time() -> None:
    """Braces and brackets that nest or never close are not read again and again."""
    for text in (r"\frac{", r"\frac{a}{", "^{", "(a+", "-("):
        start = time.process_time()
        find_noise(text * 500)
        short = time.process_time() - start
        find_noise(text * 5_000)
        assert time.process_time() - start < 40 * short + 0.2, text

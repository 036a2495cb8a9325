#include "held.hpp"
using namespace held;

constexpr float rate = 0.02f, volatility = 0.3f;

static float normal(float x) { return 0.5f * (1 + std::erf(x * 0.70710678f)); }

static void value(int n, const float *price, const float *strike,
                  const float *years, float *__restrict call,
                  float *__restrict put) {
  for (int i = 0; i < n; i++) {
    float spread = volatility * std::sqrt(years[i]);
    float drift = rate + 0.5f * volatility * volatility;
    float d1 = (std::log(price[i] / strike[i]) + drift * years[i]) / spread;
    float d2 = d1 - spread;
    float discounted = strike[i] * std::exp(-rate * years[i]);
    call[i] = price[i] * normal(d1) - discounted * normal(d2);
    put[i] = discounted * normal(-d2) - price[i] * normal(-d1);
  }
}

int main(int argc, char **argv) {
  const int n = flag(argc, argv, "n", 40000);
  const int repeats = flag(argc, argv, "repeats", 100);
  std::vector<float> price(n), strike(n), years(n), call(n), put(n);
  for (int i = 0; i < n; i++) {
    price[i] = 5 + 25 * uniform(1, i);
    strike[i] = 1 + 99 * uniform(2, i);
    years[i] = 0.25f + 9.75f * uniform(3, i);
  }
  time(repeats, [&] {
    value(n, price.data(), strike.data(), years.data(), call.data(),
          put.data());
  });
  double total = 0;
  for (int i = 0; i < n; i++)
    total += double(call[i]) + 2 * double(put[i]);
  std::printf("check: %.2f\n", total);
}

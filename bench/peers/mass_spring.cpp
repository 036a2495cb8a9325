// A robot of springs and its controller, examples/diff/mass_spring.chi without
// the time of impact, with its adjoint by hand. As there each loop is a kernel
// of its own, called through a pointer; what it writes has a place for each
// step.
#include "peer.hpp"
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace {

constexpr int numMasses = 6, numSprings = 11, numHidden = 32, numInputs = 36;
constexpr float dt = 0.004f, ground = 0.1f, stiffness = dt * 14000;
constexpr float start[numMasses][2] = {{.2f, .1f}, {.3f, .13f}, {.4f, .1f},
                                       {.2f, .2f}, {.3f, .2f},  {.4f, .2f}};
constexpr float goal[2] = {.9f, .2f};
constexpr int ends[numSprings][2] = {{0, 1}, {1, 2}, {3, 4}, {4, 5},
                                     {0, 3}, {2, 5}, {0, 4}, {1, 4},
                                     {2, 4}, {3, 1}, {5, 1}};

/// What kernels of one step write; of adjoints: what flows back to it.
struct Step {
  float x[numMasses][2], v[numMasses][2], push[numMasses][2], center[2];
  float inputs[numInputs], hidden[numHidden], act[numSprings];
};

struct Weights {
  float w1[numHidden][numInputs], b1[numHidden];
  float w2[numSprings][numHidden], b2[numSprings];
};

struct Robot {
  explicit Robot(int steps) : steps(steps), states(size_t(steps)) {}
  const int steps;
  std::vector<Step> states;
  Weights weights = {}, gradient = {};
  Step adjoint = {};
  float rest[numSprings];
  float decay = std::exp(-15 * dt);
};

using Kernel = void (*)(Robot &, int);

//===----------------------------------------------------------------------===//
// One step: from states[t] to states[t + 1]
//===----------------------------------------------------------------------===//

void clearCenter(Robot &robot, int t) {
  Step &s = robot.states[t];
  s.center[0] = s.center[1] = 0;
}

void addCenter(Robot &robot, int t) {
  Step &s = robot.states[t];
  for (int i = 0; i < numMasses; i++)
    for (int c = 0; c < 2; c++)
      s.center[c] += s.x[i][c] / numMasses;
}

void makeSines(Robot &robot, int t) {
  for (int k = 0; k < 10; k++)
    robot.states[t].inputs[k] =
        std::sin(10 * float(t) * dt + float(2 * M_PI) * float(k) / 10);
}

void observeMasses(Robot &robot, int t) {
  Step &s = robot.states[t];
  for (int i = 0; i < numMasses; i++)
    for (int c = 0; c < 2; c++) {
      s.inputs[10 + 4 * i + c] = 0.05f * (s.x[i][c] - s.center[c]);
      s.inputs[12 + 4 * i + c] = 0.05f * s.v[i][c];
      s.push[i][c] = 0;
    }
}

void observeGoal(Robot &robot, int t) {
  Step &s = robot.states[t];
  for (int c = 0; c < 2; c++)
    s.inputs[34 + c] = goal[c] - s.center[c];
}

template <int Outs, int Ins>
void dense(float (&outs)[Outs], const float (&weights)[Outs][Ins],
           const float (&bias)[Outs], const float (&ins)[Ins]) {
  float sum[Outs];
  for (int i = 0; i < Outs; i++) {
    sum[i] = bias[i];
    for (int j = 0; j < Ins; j++)
      sum[i] += weights[i][j] * ins[j];
  }
  for (int i = 0; i < Outs; i++)
    outs[i] = std::tanh(sum[i]);
}

void computeHidden(Robot &robot, int t) {
  Step &s = robot.states[t];
  dense(s.hidden, robot.weights.w1, robot.weights.b1, s.inputs);
}

void computeAct(Robot &robot, int t) {
  Step &s = robot.states[t];
  dense(s.act, robot.weights.w2, robot.weights.b2, s.hidden);
}

void pushMasses(Robot &robot, int t) {
  Step &s = robot.states[t];
  for (int k = 0; k < numSprings; k++) {
    auto [a, b] = ends[k];
    float d[2] = {s.x[a][0] - s.x[b][0], s.x[a][1] - s.x[b][1]};
    float l = std::sqrt(d[0] * d[0] + d[1] * d[1]) + 1e-4f;
    float f = stiffness * (l - robot.rest[k] * (1 + 0.1f * s.act[k])) / l;
    for (int c = 0; c < 2; c++) {
      s.push[a][c] -= f * d[c];
      s.push[b][c] += f * d[c];
    }
  }
}

/// Is the mass on the ground and going down? `u`: its velocity.
bool isStopped(const Robot &robot, const Step &s, int i, float (&u)[2]) {
  u[0] = robot.decay * s.v[i][0] + s.push[i][0];
  u[1] = robot.decay * s.v[i][1] - 4.8f * dt + s.push[i][1];
  return s.x[i][1] < ground && u[1] < 0;
}

void moveMasses(Robot &robot, int t) {
  const Step &s = robot.states[t];
  Step &next = robot.states[t + 1];
  for (int i = 0; i < numMasses; i++) {
    float u[2];
    bool stopped = isStopped(robot, s, i, u);
    for (int c = 0; c < 2; c++) {
      next.v[i][c] = stopped ? 0 : u[c];
      next.x[i][c] = s.x[i][c] + dt * next.v[i][c];
    }
  }
}

//===----------------------------------------------------------------------===//
// The adjoints: x and v of the adjoint belong to states[t + 1], then to [t]
//===----------------------------------------------------------------------===//

void moveMassesBack(Robot &robot, int t) {
  Step &a = robot.adjoint;
  for (int i = 0; i < numMasses; i++) {
    float u[2];
    bool stopped = isStopped(robot, robot.states[t], i, u);
    for (int c = 0; c < 2; c++) {
      float flow = stopped ? 0 : a.v[i][c] + dt * a.x[i][c];
      a.v[i][c] = robot.decay * flow;
      a.push[i][c] = flow;
    }
  }
}

void pushMassesBack(Robot &robot, int t) {
  const Step &s = robot.states[t];
  Step &adjoint = robot.adjoint;
  for (int k = 0; k < numSprings; k++) {
    auto [a, b] = ends[k];
    float d[2], flow[2], along = 0;
    for (int c = 0; c < 2; c++) {
      d[c] = s.x[a][c] - s.x[b][c];
      flow[c] = adjoint.push[b][c] - adjoint.push[a][c];
      along += flow[c] * d[c];
    }
    float norm = std::sqrt(d[0] * d[0] + d[1] * d[1]), l = norm + 1e-4f;
    float length = robot.rest[k] * (1 + 0.1f * s.act[k]);
    float f = stiffness * (l - length) / l;
    float stretch = stiffness * length * along / (l * l * norm);
    adjoint.act[k] = -0.1f * robot.rest[k] * stiffness * along / l;
    for (int c = 0; c < 2; c++) {
      float g = f * flow[c] + stretch * d[c];
      adjoint.x[a][c] += g;
      adjoint.x[b][c] -= g;
    }
  }
}

/// The backward pass of `dense`, to the adjoints of its inputs and weights.
template <int Outs, int Ins>
void denseBack(const float (&outs)[Outs], const float (&outAdjoints)[Outs],
               const float (&weights)[Outs][Ins], const float (&ins)[Ins],
               float (&inAdjoints)[Ins], float (&weightAdjoints)[Outs][Ins],
               float (&biasAdjoints)[Outs]) {
  std::fill_n(inAdjoints, Ins, 0.f);
  for (int i = 0; i < Outs; i++) {
    float flow = outAdjoints[i] * (1 - outs[i] * outs[i]);
    biasAdjoints[i] += flow;
    for (int j = 0; j < Ins; j++) {
      weightAdjoints[i][j] += flow * ins[j];
      inAdjoints[j] += flow * weights[i][j];
    }
  }
}

void computeActBack(Robot &robot, int t) {
  const Step &s = robot.states[t];
  Step &a = robot.adjoint;
  Weights &g = robot.gradient;
  denseBack(s.act, a.act, robot.weights.w2, s.hidden, a.hidden, g.w2, g.b2);
}

void computeHiddenBack(Robot &robot, int t) {
  const Step &s = robot.states[t];
  Step &a = robot.adjoint;
  Weights &g = robot.gradient;
  denseBack(s.hidden, a.hidden, robot.weights.w1, s.inputs, a.inputs, g.w1,
            g.b1);
}

void observeGoalBack(Robot &robot, int) {
  Step &a = robot.adjoint;
  for (int c = 0; c < 2; c++)
    a.center[c] = -a.inputs[34 + c];
}

void observeMassesBack(Robot &robot, int) {
  Step &a = robot.adjoint;
  for (int i = 0; i < numMasses; i++)
    for (int c = 0; c < 2; c++) {
      a.x[i][c] += 0.05f * a.inputs[10 + 4 * i + c];
      a.center[c] -= 0.05f * a.inputs[10 + 4 * i + c];
      a.v[i][c] += 0.05f * a.inputs[12 + 4 * i + c];
    }
}

void addCenterBack(Robot &robot, int) {
  Step &a = robot.adjoint;
  for (int i = 0; i < numMasses; i++)
    for (int c = 0; c < 2; c++)
      a.x[i][c] += a.center[c] / numMasses;
}

/// Read through a volatile pointer, so that no call is inlined.
constexpr std::array<Kernel, 9> kForward = {
    clearCenter,   addCenter,  makeSines,  observeMasses, observeGoal,
    computeHidden, computeAct, pushMasses, moveMasses};
constexpr std::array<Kernel, 7> kBackward = {
    moveMassesBack,  pushMassesBack,    computeActBack, computeHiddenBack,
    observeGoalBack, observeMassesBack, addCenterBack};

template <size_t N>
void call(const std::array<Kernel, N> &kernels, Robot &robot, int t) {
  for (size_t k = 0; k < N; k++) {
    Kernel volatile kernel = kernels[k];
    kernel(robot, t);
  }
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

float uniform(uint32_t s, uint32_t i) {
  uint32_t x = i + 0x9E3779B9u * s;
  x ^= x >> 16, x *= 0x7feb352du;
  x ^= x >> 15, x *= 0x846ca68bu;
  return float((x ^ x >> 16) >> 8) * (1.f / 16777216);
}

void initialize(Robot &robot) {
  auto fill = [](float *weights, int count, uint32_t stream, double scale) {
    for (int i = 0; i < count; i++)
      weights[i] = float((2 * uniform(stream, uint32_t(i)) - 1) * scale);
  };
  fill(robot.weights.w1[0], numHidden * numInputs, 31,
       std::sqrt(3.) * 2 * std::sqrt(2 / 68.));
  fill(robot.weights.w2[0], numSprings * numHidden, 32,
       std::sqrt(3.) * 3 * std::sqrt(2 / 43.));
  for (int k = 0; k < numSprings; k++) {
    auto [a, b] = ends[k];
    robot.rest[k] =
        std::hypot(start[a][0] - start[b][0], start[a][1] - start[b][1]);
  }
  std::memcpy(robot.states[0].x, start, sizeof(start));
}

/// Returns the loss.
float differentiate(Robot &robot) {
  for (int t = 0; t + 1 < robot.steps; t++)
    call(kForward, robot, t);
  robot.gradient = {};
  robot.adjoint = {};
  robot.adjoint.x[0][0] = -1;
  for (int t = robot.steps - 1; t-- > 0;)
    call(kBackward, robot, t);
  return -robot.states[robot.steps - 1].x[0][0];
}

/// Returns the norm of the gradient.
double descend(Robot &robot) {
  constexpr size_t count = sizeof(Weights) / sizeof(float);
  auto *weights = reinterpret_cast<float *>(&robot.weights);
  auto *gradient = reinterpret_cast<const float *>(&robot.gradient);
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += double(gradient[i]) * gradient[i];
  for (size_t i = 0; i < count; i++)
    weights[i] -= float(0.2 / (std::sqrt(sum) + 1e-6)) * gradient[i];
  return std::sqrt(sum);
}

} // namespace

int main(int argc, char **argv) {
  long iterations = peer::flag(argc, argv, "iterations", 5);
  Robot robot(int(peer::flag(argc, argv, "steps", 682)));
  initialize(robot);
  double spent = 0;
  for (long it = 0; it < iterations; it++) {
    double clock = peer::now();
    float loss = differentiate(robot);
    if (it > 0)
      spent += peer::now() - clock;
    float dw1 = robot.gradient.w1[0][0], dw2 = robot.gradient.w2[0][0];
    double norm = descend(robot);
    std::printf("loss[%ld] = %.10f  |g|[%ld] = %.9f\n", it, loss, it, norm);
    if (it == 0)
      std::printf("dW1 = %.9f  dW2 = %.9f\n", dw1, dw2);
  }
  peer::report(spent, double(iterations - 1), "gradient");
}

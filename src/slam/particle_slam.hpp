// Rao-Blackwellized particle filter: each particle is a trajectory with its own map. Odometry with noise proposes, scan
// matching refines, the fit of the scan weighs (Grisetti, Stachniss, Burgard 2007; Pedrosa, Pereira, Lau 2020).
// Particles share the patches of their maps until they write into them, and the beginnings of their trajectories.
#pragma once

#include <optional>
#include <vector>

#include "slam/find_pose.hpp"
#include "slam/pose_tree.hpp"

namespace outrider {

/// So many copies of each: floor or ceiling of n times its weight, by one random number (Kitagawa 1996). The weights
/// sum up to 1; `u` is in [0, 1).
std::vector<int> resample_systematic(std::span<const double> weights, double u);

class ParticleSlam final : public Slam {
  public:
    ParticleSlam(const SlamOptions& options, const Pose& start, std::uint64_t seed, const PatchGraph* before = nullptr);
    /// Of the particle with the largest weight.
    Pose pose() const override { return compose(best().pose, since_update_); }
    Matrix3 covariance() const override { return best().covariance; }
    const CountedMap& map() const override { return best().map; }
    std::vector<Pose> path() const override { return paths_.path(best().last); }
    std::vector<WeighedPose> guesses() const override;

  private:
    bool take(Point sensor, std::span<const Point> ends) override;
    /// Matches it in the map of the best particle; nothing is drawn or weighed.
    void between_updates(std::span<const Point> ends) override { follow(best().map, best().pose, ends); }
    struct Particle {
        CountedMap map;
        Pose pose;
        Matrix3 covariance{};
        double log_weight = 0;
        int rejected_in_a_row = 0;
        PoseTree::Node last = PoseTree::none;
        Found found;
        std::vector<Point> world;
    };
    const Particle& best() const { return particles_[best_]; }
    void move(Particle& particle, int index) const;
    void match(Particle& particle, std::span<const Point> ends, const std::optional<Pose>& hint);
    std::vector<double> weights() const;
    void weigh();
    void resample(std::span<const double> weights);

    std::uint64_t seed_;
    bool empty_;
    std::vector<Particle> particles_;
    std::size_t best_ = 0;
    PoseTree paths_;
};

}  // namespace outrider

"""MAPPO in one file (Yu et al. 2022): a shared actor on what each robot knows, a critic that sees the truth.

    tools/python docs/examples/mappo.py --seconds 600 --out mappo.pt --curve mappo.csv
    tools/run run office --strategy "python(outrider.learned:Policy, model='mappo.pt', patience_steps=15)"

It needs PyTorch (apt-get install python3-torch), and one core. Robots decide when something happened, so a decision
lasts for dt steps and what comes after it counts gamma ** dt: a semi-Markov decision process. The actor begins as
"mostly the nearest frontier". Time is CPU time; a seed gives the same curve on a machine if --iterations ends it.
"""
import argparse
import csv
import time

import numpy as np
import outrider
import torch
from outrider.learned import Policy
from torch import nn

ROWS, COLUMNS, OWN, HIDDEN = 16, len(outrider.frontier_features), len(outrider.own_features), 32
MOST = 3.0  # larger values of a row count as this
PATIENCE = 15  # steps after which a robot decides in any case
REWARD = {"area_team": 0.01, "steps": -0.05, "done": 2}
GRID = 10, 15  # rows and columns of what the critic sees
SETTINGS = {"comm.range_m": 20.0, "comm.base_range_m": 20.0}


class Actor(nn.Module):
    """Scores of the rows. Each row attends to all others, so the order of rows does not matter."""

    def __init__(self):
        super().__init__()
        self.most, self.far = MOST, -1e9
        self.embed = nn.Sequential(nn.Linear(COLUMNS + OWN, HIDDEN), nn.Tanh())
        self.query, self.key, self.value = (nn.Linear(HIDDEN, HIDDEN) for _ in range(3))
        self.score = nn.Sequential(nn.Linear(2 * HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, 1))
        self.plain = nn.Linear(COLUMNS, 1)
        for last in (self.score[2], self.plain):
            nn.init.zeros_(last.weight)
        with torch.no_grad():
            self.plain.weight[0, outrider.frontier_features.index("way")] = -3

    def forward(self, frontiers: torch.Tensor, mask: torch.Tensor, own: torch.Tensor) -> torch.Tensor:
        rows = frontiers.clamp(-self.most, self.most)
        each = self.embed(torch.cat([rows, own[:, None].expand(-1, rows.shape[1], -1)], dim=2))
        weights = self.query(each) @ self.key(each).transpose(1, 2) / each.shape[2] ** 0.5
        weights = weights.masked_fill(~mask[:, None], self.far).softmax(dim=2)
        together = torch.cat([each, weights @ self.value(each)], dim=2)
        return (self.score(together) + self.plain(rows))[:, :, 0].masked_fill(~mask, self.far)


class Critic(nn.Module):
    """What a robot's decision is worth, from the truth of its whole world and its own features."""

    def __init__(self):
        super().__init__()
        size = 16 * ((GRID[0] + 1) // 2) * ((GRID[1] + 1) // 2)
        self.world = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.Tanh(), nn.Flatten(),
                                   nn.Linear(size, 64), nn.Tanh())
        self.value = nn.Sequential(nn.Linear(64 + 3 + OWN, 64), nn.Tanh(), nn.Linear(64, 1))

    def forward(self, world, own):
        whole = torch.stack([world[:, 1].mean((1, 2)), world[:, 1].amax((1, 2)), world[:, 0].mean((1, 2))], dim=1)
        return self.value(torch.cat([self.world(world), whole, own], dim=1))[:, 0]


def truth(env):
    """(environments, 3, *GRID): shares of walls, of floor that nobody knows, and robots."""
    walls, known, robots, _ = np.moveaxis(env.state(), 1, 0)
    planes = np.stack([walls, (1 - walls) * (1 - known), robots], axis=1)
    rows, columns = planes.shape[2] // GRID[0], planes.shape[3] // GRID[1]
    whole = planes[:, :, :rows * GRID[0], :columns * GRID[1]]
    blocks = whole.reshape(*planes.shape[:2], GRID[0], rows, GRID[1], columns)
    shares = blocks.mean(axis=(3, 5), dtype=np.float32)
    shares[:, 2] *= rows * columns  # robots are counted
    return shares


class Decisions:
    """Of all robots, in the order in which they were made. Of each: what was known and chosen, and later what it was
    paid, how long it lasted (dt; 0: it goes on), and the robot's next decision (-1: the episode was over)."""

    def __init__(self, most, envs, agents):
        self.last = np.full((envs, agents), -1)  # the decision that each robot is at
        self.count = 0
        self.rows, self.mask = np.zeros((most, ROWS, COLUMNS), np.float32), np.zeros((most, ROWS), bool)
        self.own, self.world = np.zeros((most, OWN), np.float32), np.zeros((most, 3, *GRID), np.float32)
        self.action, self.next, self.dt = (np.zeros(most, int) for _ in range(3))
        self.chance, self.value, self.paid = (np.zeros(most, np.float32) for _ in range(3))

    def add(self, robots, **values):
        new = np.arange(self.count, self.count + len(robots[0]))
        self.count += len(new)
        for name, value in values.items():
            getattr(self, name)[new] = value
        self.dt[new], self.next[new] = 0, -1
        before = self.last[robots]
        self.next[before[before >= 0]] = new[before >= 0]
        self.last[robots] = new

    def pay(self, rewards, dt, due, over):
        """After a step: what robots are paid that are due again, or whose episode is over."""
        ended = (due | over[:, None]) & (self.last >= 0)
        self.paid[self.last[ended]], self.dt[self.last[ended]] = rewards[ended], np.maximum(dt[ended], 1)
        self.last[over] = -1

    def advantages(self, gamma, trace):
        """Generalised advantage estimation, from the last decision to the first."""
        out = np.zeros(self.count, np.float32)
        for i in np.flatnonzero(self.dt[:self.count])[::-1]:
            later = self.next[i]
            ahead = self.value[later] + trace * out[later] if later >= 0 else 0.0
            out[i] = self.paid[i] + gamma ** self.dt[i] * ahead - self.value[i]
        return out

    def forget(self):
        """All decisions but those that robots are at: they are paid later."""
        kept = self.last[self.last >= 0]
        for name in ("rows", "mask", "own", "world", "action", "next", "dt", "chance", "value", "paid"):
            array = getattr(self, name)
            array[:len(kept)] = array[kept]
        self.last[self.last >= 0] = np.arange(len(kept))
        self.count = len(kept)


def collect(env, seen, infos, decisions, actor, critic, steps):
    """Lets the robots decide for some steps; returns where they are then."""
    for k in range(steps):
        if k % 4 == 0:
            worlds = truth(env)  # it takes as long as a step, and changes slowly
        robots = np.nonzero(infos["due"] & infos["agents"])
        rows, mask, own = seen["frontiers"][robots], seen["mask"][robots].astype(bool), seen["own"][robots]
        world = worlds[robots[0]]
        with torch.no_grad():
            chances = torch.distributions.Categorical(logits=actor(*map(torch.from_numpy, (rows, mask, own))))
            action = chances.sample()
            value = critic(torch.from_numpy(world), torch.from_numpy(own))
        decisions.add(robots, rows=rows, mask=mask, own=own, world=world, action=action, value=value,
                      chance=chances.log_prob(action))
        actions = np.zeros(infos["due"].shape, int)  # those that are not due go on
        actions[robots] = action
        seen, _, done, cut, infos = env.step(actions)
        decisions.pay(infos["rewards"], infos["dt"], infos["due"], done | cut)
    return seen, infos


def improve(actor, critic, optimiser, decisions, given):
    """PPO: some rounds over all decisions that were paid, no step far from the policy that made them."""
    gain = torch.from_numpy(decisions.advantages(given.gamma, given.trace))
    wanted = gain + torch.from_numpy(decisions.value[:decisions.count])
    ended = torch.from_numpy(np.flatnonzero(decisions.dt[:decisions.count]))
    gain = (gain - gain[ended].mean()) / (gain[ended].std() + 1e-8)
    rows, mask, own, world, action, chance = (torch.from_numpy(array) for array in (
        decisions.rows, decisions.mask, decisions.own, decisions.world, decisions.action, decisions.chance))
    for _ in range(given.epochs):
        for part in ended[torch.randperm(len(ended))].split(given.batch):
            chances = torch.distributions.Categorical(logits=actor(rows[part], mask[part], own[part]))
            ratio = (chances.log_prob(action[part]) - chance[part]).exp()
            clipped = ratio.clamp(1 - given.clip, 1 + given.clip)
            policy = -torch.min(ratio * gain[part], clipped * gain[part]).mean()
            error = (critic(world[part], own[part]) - wanted[part]).pow(2).mean()
            loss = policy + 0.5 * error - given.entropy * chances.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
            optimiser.step()


def test(env, actor, seeds):
    """Steps that the network's best choices need on each map."""
    seen, infos = env.reset(seed=seeds)
    while True:
        with torch.no_grad():
            parts = [torch.from_numpy(seen[name]).flatten(0, 1) for name in ("frontiers", "mask", "own")]
            best = actor(parts[0], parts[1].bool(), parts[2]).argmax(dim=1)
        seen, _, done, cut, infos = env.step(best.numpy().reshape(infos["due"].shape))
        if (done | cut).all():
            return infos["step"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="CPU time to train in")
    parser.add_argument("--iterations", type=int, help="ends after so many, whatever the time")
    parser.add_argument("--families", nargs="+", default=["office"], help="of generated maps, for training and tests")
    parser.add_argument("--size", type=int, nargs=2, default=(300, 200), help="of maps, in cells")
    parser.add_argument("--robots", type=int, default=4)
    parser.add_argument("--limit", type=int, default=400, help="steps of an episode")
    parser.add_argument("--envs", type=int, default=12)
    parser.add_argument("--steps", type=int, default=128, help="of all environments, per iteration")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch", type=int, default=512)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=0.99, help="discount of a step")
    parser.add_argument("--trace", type=float, default=0.95, help="lambda, of a decision")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--tests", type=int, default=12, help="unseen maps of each family")
    parser.add_argument("--test-every", type=int, default=10, help="iterations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="mappo.pt")
    parser.add_argument("--curve", help="CSV: T99 on unseen maps, as ratios to sight_greedy and mresim_greedy")
    given = parser.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(given.seed)
    maps = [outrider.generated(family, width=given.size[0], height=given.size[1]) for family in given.families]
    same = dict(robots=given.robots, every="event", patience=PATIENCE, steps=given.limit, frontiers=ROWS, **SETTINGS)
    env = outrider.make_vec(maps, given.envs, reward=REWARD, **same)
    unseen = [outrider.make_vec(one, given.tests, autoreset="disabled", **same) for one in maps]
    seeds = list(range(7_000_001, 7_000_001 + given.tests))

    def compare(strategies):
        """Steps until the team knows 99 %, of each strategy on all unseen maps."""
        runs = outrider.compare(strategies, maps, seeds=seeds, robots=given.robots, steps=given.limit, **SETTINGS,
                                **{"stop.of": "team", "stop.fraction": 0.99})
        return runs, [np.nan_to_num(runs.values(name, "t99_team"), nan=given.limit) for name in runs.names]

    natives = compare(["sight_greedy", "mresim_greedy"])[1]
    actor, critic, curve = Actor(), Critic(), []
    optimiser = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=given.rate, eps=1e-5)
    decisions = Decisions((given.steps + 1) * given.envs * given.robots, given.envs, given.robots)
    seen, infos = env.reset(seed=10**6 * given.seed)
    began, made, iteration, over = time.process_time(), 0, 0, False
    while not over:
        seconds = time.process_time() - began
        share = iteration / given.iterations if given.iterations else seconds / given.seconds
        over = share >= 1
        if over or iteration % given.test_every == 0:
            needed = np.concatenate([test(one, actor, seeds) for one in unseen])
            ratios = [float(np.exp(np.log(needed / steps).mean())) for steps in natives]
            torch.jit.script(actor).save(given.out)
            curve.append([round(seconds, 1), made, *(round(r, 4) for r in ratios)])
            print("iteration %d, %.0f s, %d decisions: T99 is %.3f of sight_greedy's, %.3f of mresim_greedy's"
                  % (iteration, *curve[-1]), flush=True)
        if over:
            break
        seen, infos = collect(env, seen, infos, decisions, actor, critic, given.steps)
        optimiser.param_groups[0]["lr"] = given.rate * (1 - share)
        improve(actor, critic, optimiser, decisions, given)
        made += int((decisions.dt[:decisions.count] > 0).sum())
        decisions.forget()
        iteration += 1
    if given.curve:
        with open(given.curve, "w", newline="") as file:
            csv.writer(file).writerows([["seconds", "decisions", "of_sight_greedy", "of_mresim_greedy"], *curve])
    network = Policy(model=given.out, patience_steps=PATIENCE)
    print(compare(["sight_greedy", "mresim_greedy", network])[0].table("t99_team"))


if __name__ == "__main__":
    main()

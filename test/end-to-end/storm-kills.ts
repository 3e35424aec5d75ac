import { setTimeout as until } from 'node:timers/promises'
import type { Seeded } from './seeded.ts'
import { type StormService, type Victim, victims } from './storm-service.ts'

/** One kill, and how long it took until the victim was up again. */
export interface Kill {
  readonly victim: Victim
  /** In ms after the storm's start. */
  readonly at: number
  readonly downMs: number
}

export interface KillsOptions {
  readonly service: StormService
  readonly kills: number
  readonly spanMs: number
  readonly random: Seeded
}

/** The storm has begun by then, and is not over. */
const FROM = 0.1
const TO = 0.95

/** Kills bot, worker and Redis, each as often, in a random order at random moments; those of one victim wait for each other. */
export const killAtRandom = async ({ service, kills, spanMs, random }: KillsOptions): Promise<Kill[]> => {
  const startedAt = Date.now()
  const whom = random.shuffled(Array.from({ length: kills }, (_, index) => victims[index % victims.length] as Victim))
  const plan = whom.map(victim => ({ victim, at: Math.floor(spanMs * (FROM + (TO - FROM) * random.number())) }))
  const done: Kill[] = []
  const one = async (mine: typeof plan): Promise<void> => {
    for (const { victim, at } of mine.toSorted((a, b) => a.at - b.at)) {
      await until(Math.max(0, startedAt + at - Date.now()))
      const killedAt = Date.now()
      await service.kill(victim)
      done.push({ victim, at: killedAt - startedAt, downMs: Date.now() - killedAt })
    }
  }
  await Promise.all(victims.map(victim => one(plan.filter(each => each.victim === victim))))
  return done.toSorted((a, b) => a.at - b.at)
}

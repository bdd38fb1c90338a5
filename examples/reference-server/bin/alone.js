import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often who holds a lock shows that it still does, in milliseconds. */
const signMs = 1000

/** Signs that may be missing, as on a machine that is busy, before a lock counts as one whose holder has died. */
const missedSigns = 10

/**
 * Runs something while no other process does that takes the same lock, and waits for one that does.
 *
 * @param {string} lock a folder, which is there for as long
 * @param {() => Promise<void>} act
 * @param {{ patienceMs: number }} options how long to wait, in whole milliseconds
 * @throws {Error} when another process still holds the lock after that time
 */
export async function alone(lock, act, { patienceMs }) {
  mkdirSync(dirname(lock), { recursive: true })
  await take(lock, performance.now() + patienceMs)
  const signs = setInterval(() => {
    try {
      utimesSync(lock, new Date(), new Date())
    } catch {
      // Somebody removed it by hand.
    }
  }, signMs)
  try {
    await act()
  } finally {
    clearInterval(signs)
    rmSync(lock, { recursive: true, force: true })
  }
}

/**
 * @param {string} lock
 * @param {number} until by the clock of `performance`
 */
async function take(lock, until) {
  // By times of this process alone: the clock of the files may be another.
  let seen = { sign: -1, at: 0 }
  while (!made(lock)) {
    const now = performance.now()
    const sign = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    if (sign === undefined) continue
    if (sign !== seen.sign) seen = { sign, at: now }
    else if (now - seen.at > missedSigns * signMs) rmSync(lock, { recursive: true, force: true })
    else if (now > until)
      throw new Error(`Another process still holds ${lock}: wait for it or end it, then try again`)
    await sleep(100 + Math.random() * 100)
  }
}

/** @param {string} lock */
function made(lock) {
  try {
    mkdirSync(lock)
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'EEXIST') return false
    throw error
  }
}

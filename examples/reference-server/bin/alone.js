import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The interval at which the owner of a lock renews it, in milliseconds. */
const signMs = 1000

/** Missed renewals, for example on a busy machine, after which a lock is stale. */
const missedSigns = 10

/**
 * Runs a task under a lock between processes, and waits while another process has the lock.
 * @param {string} lock a folder, which exists while the lock is taken
 * @param {() => Promise<void>} act
 * @param {{ patienceMs: number }} options how long to wait for the lock, in whole milliseconds
 * @throws {Error} when another process has the lock after that time
 */
export async function alone(lock, act, { patienceMs }) {
  mkdirSync(dirname(lock), { recursive: true })
  await take(lock, performance.now() + patienceMs)
  const signs = setInterval(() => {
    try {
      utimesSync(lock, new Date(), new Date())
    } catch {
      // The lock was removed by hand.
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
 * @param {number} until a time of `performance.now()`
 */
async function take(lock, until) {
  // Compared with the clock of this process only: the clock of the file system may differ.
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

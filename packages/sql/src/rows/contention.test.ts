import { expect, it } from 'vitest'
import { VersionConflict, toRetryable, retryOnContention } from './contention.ts'

function recorded() {
  const pauses: number[] = []
  const pause = (forMs: number) => Promise.resolve(pauses.push(forMs))
  return { pauses, options: { random: () => 0.5, pause } }
}

const refused = (code: string) => Object.assign(new Error('database error'), { code })

it.each([
  ['a lost race', new VersionConflict()],
  ['a deadlock', refused('40P01')],
  ['a serialization failure', refused('40001')],
])('retries after %s with growing pauses', async (_, error) => {
  const { pauses, options } = recorded()
  const failures = [error, error, error]
  const act = () => {
    const failure = failures.pop()
    return failure ? Promise.reject(failure) : Promise.resolve('done')
  }
  expect(await retryOnContention(act, options)).toBe('done')
  expect(pauses).toEqual([1, 2, 4])
})

it.each([
  ['lost races', new VersionConflict(), 20],
  ['deadlocks', refused('40P01'), 5],
  ['a lock timeout', refused('55P03'), 1],
])('answers 503 after too many %s', async (_, error, attempts) => {
  const { pauses, options } = recorded()
  await expect(retryOnContention(() => Promise.reject(error), options)).rejects.toMatchObject({
    ...{ code: 'SERVICE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' }, cause: error },
  })
  expect(pauses).toHaveLength(attempts - 1)
  expect(Math.max(0, ...pauses)).toBeLessThanOrEqual(100)
})

it('throws every other error at once', async () => {
  const { pauses, options } = recorded()
  const error = refused('23505')
  await expect(retryOnContention(() => Promise.reject(error), options)).rejects.toBe(error)
  expect(pauses).toEqual([])
})

it.each([
  ['a lock timeout', '55P03'],
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
  ['a statement timeout', '57014'],
  ['an idle transaction', '25P03'],
  ['too many connections', '53300'],
  ['a full disk', '53100'],
  ['a read-only database', '25006'],
  ['a busy file', 'SQLITE_BUSY'],
  ['a full disk of SQLite', 'SQLITE_FULL'],
])('makes %s a 503 with Retry-After', (_, code) => {
  const error = refused(code)
  expect(toRetryable(error)).toMatchObject({
    ...{ code: 'SERVICE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '1' }, cause: error },
  })
})

it.each(['23505', '42P01', '22P02', undefined])('keeps an error with the code %s', (code) => {
  const error = Object.assign(new Error('database error'), { code })
  expect(toRetryable(error)).toBe(error)
})

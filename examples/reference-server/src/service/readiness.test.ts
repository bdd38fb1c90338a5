import { expect, it } from 'vitest'
import { createLastOutcome, inspectDependencies, toCode, type Judge } from './readiness.ts'

const judge: Judge<'ok' | undefined> = {
  resolved: (value) => value,
  rejected: (error) => ({ failure: toCode(error) }),
}

it('is failing from a failure to the next success', async () => {
  const last = createLastOutcome(1000, () => 0)
  expect(last.getFailure()).toBe(undefined)
  await expect(last.track(Promise.reject(new RangeError('full')), judge)).rejects.toThrow('full')
  expect(last.getFailure()).toBe('RangeError')
  await last.track(Promise.resolve(undefined), judge)
  expect(last.getFailure()).toBe('RangeError')
  expect(await last.track(Promise.resolve('ok' as const), judge)).toBe('ok')
  expect(last.getFailure()).toBe(undefined)
})

it('is failing no longer than the window', async () => {
  let now = 0
  const last = createLastOutcome(1000, () => now)
  await last.track(Promise.reject(new RangeError('full')), judge).catch(() => undefined)
  now = 1000
  expect(last.getFailure()).toBe('RangeError')
  now = 1001
  expect(last.getFailure()).toBe(undefined)
})

it('inspects a bus without a request unless it is unavailable', async () => {
  let pings = 0
  const ping = async () => pings++
  const bus = { name: 'bus', ping, isOptional: true }
  expect(await inspectDependencies([bus])).toMatchObject([{ status: 'ok' }])
  expect(pings).toBe(0)
  // It answers again, and no event has shown it.
  expect(await inspectDependencies([{ ...bus, getDetail: () => 'It is down' }])).toMatchObject([
    { status: 'ok' },
  ])
  expect(pings).toBe(1)
})

it('inspects dependencies with the codes of their failures', async () => {
  const refused = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' })
  const answers = () => Promise.resolve()
  const dependencies = [
    { name: 'inbox', ping: answers },
    { name: 'database', ping: answers, getFailure: () => 'INBOX_UNAVAILABLE' },
    { name: 'bus', ping: () => Promise.reject(refused), getDetail: () => 'It is down', isOptional: true },
  ]
  expect(await inspectDependencies(dependencies)).toEqual([
    { name: 'inbox', kind: 'database', status: 'ok' },
    { name: 'database', kind: 'database', status: 'unavailable', code: 'INBOX_UNAVAILABLE' },
    { name: 'bus', kind: 'bus', status: 'unavailable', code: 'ECONNREFUSED', detail: 'It is down' },
  ])
})

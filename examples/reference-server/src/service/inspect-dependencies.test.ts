import { expect, it } from 'vitest'
import { inspectDependencies } from './inspect-dependencies.ts'

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
    { name: 'bodies', ping: answers, isOptional: true },
  ]
  expect(await inspectDependencies(dependencies)).toEqual([
    { name: 'inbox', kind: 'database', status: 'ok' },
    { name: 'database', kind: 'database', status: 'unavailable', code: 'INBOX_UNAVAILABLE' },
    { name: 'bus', kind: 'bus', status: 'unavailable', code: 'ECONNREFUSED', detail: 'It is down' },
    { name: 'bodies', kind: 'bodies', status: 'ok' },
  ])
})

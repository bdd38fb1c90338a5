import { testStores } from '@sallyport/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Alerts, AlertSource, AlertTarget } from './index.ts'
import { createAlerts, type AlertsOptions } from './alerts.ts'
import { createMemoryAlertStore } from './store.ts'
import type { AlertMessage } from './message.ts'
import type { Finding } from './evaluate.ts'

testStores(
  { describe, expect, it },
  {
    alerts: () => {
      const store = createMemoryAlertStore()
      return [store, store]
    },
  },
)

const second = 1000
const busUnavailable: Finding = {
  name: 'bus_unavailable',
  severity: 'error',
  title: 'The bus is unavailable',
  text: 'Events wait in the inbox.',
}
const deadLetters = (level: number): Finding => ({ ...busUnavailable, name: 'dead_letters', level })

/** Opens alerts of one source with the given number of processes, and a target that keeps what it receives. */
function openAlerts(options: Partial<AlertsOptions> = {}, processes = 1) {
  const state = { at: Date.UTC(2026, 0), findings: [] as Finding[] | Error, isDown: false }
  const now = () => state.at
  const sent: AlertMessage[] = []
  const errors: string[] = []
  let ids = 0
  const all = Array.from({ length: processes }, () =>
    createAlerts({
      store: createMemoryAlertStore(now),
      sources: [
        {
          name: 'engines',
          find: () =>
            state.findings instanceof Error
              ? Promise.reject(state.findings)
              : Promise.resolve(state.findings),
        },
      ],
      targets: [
        {
          name: 'slack',
          send(message) {
            if (state.isDown) return Promise.reject(new Error('unavailable'))
            sent.push(message)
            return Promise.resolve()
          },
        },
      ],
      now,
      newId: () => `id-${ids++}`,
      onError: (name) => errors.push(name),
      ...options,
    }),
  )
  /** Checks every 15 seconds for a duration. */
  async function pass(durationMs: number) {
    for (const end = state.at + durationMs; state.at < end; state.at += 15 * second)
      for (const alerts of all) await alerts.check()
  }
  const summary = () => sent.map(({ name, status }) => `${name} ${status}`)
  return { all, state, sent, errors, pass, summary }
}

describe('createAlerts', () => {
  it('sends one message when a condition has held, and one when it is gone', async () => {
    const { state, sent, pass } = openAlerts()
    state.findings = [busUnavailable]
    await pass(30 * second)
    expect(sent).toEqual([])
    await pass(10 * 60 * second)
    expect(sent).toMatchObject([
      { status: 'firing', severity: 'error', title: 'The bus is unavailable', text: busUnavailable.text },
    ])
    state.findings = []
    await pass(10 * 60 * second)
    expect(sent).toMatchObject([
      { status: 'firing', id: sent[0]?.id },
      {
        status: 'resolved',
        id: sent[0]?.id,
        severity: 'info',
        title: 'Resolved: The bus is unavailable',
        text: 'The alert fired for 10 minutes.',
      },
    ])
    expect(sent[0]?.messageId).not.toBe(sent[1]?.messageId)
  })

  it('sends nothing about a condition that comes and goes', async () => {
    const { state, sent, pass } = openAlerts()
    for (let round = 0; round < 20; round++) {
      state.findings = round % 2 ? [] : [busUnavailable]
      await pass(15 * second)
    }
    expect(sent).toEqual([])
  })

  it('sends a message again when the level rises, not when it falls', async () => {
    const { state, pass, summary } = openAlerts({ holdMs: 0 })
    for (const level of [0, 0, 1, 0, 1, 2]) {
      state.findings = [deadLetters(level)]
      await pass(60 * second)
    }
    expect(summary()).toEqual(Array(3).fill('dead_letters firing'))
  })

  it('repeats a message once a day', async () => {
    const { state, sent, pass, summary } = openAlerts()
    state.findings = [busUnavailable]
    await pass(49 * 60 * 60 * second)
    expect(summary()).toEqual(Array(3).fill('bus_unavailable firing'))
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1)
    expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(3)
  })

  it('keeps the states of a source that fails', async () => {
    const { state, errors, pass, summary } = openAlerts()
    state.findings = [busUnavailable]
    await pass(60 * second)
    state.findings = new Error('The inbox is unavailable')
    await pass(10 * 60 * second)
    expect(summary()).toEqual(['bus_unavailable firing'])
    expect(new Set(errors)).toEqual(new Set(['engines']))
  })

  describe('with a source that hangs', () => {
    const signals: AbortSignal[] = []
    const hanging: AlertSource = {
      name: 'hanging',
      find: (_, signal) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    }
    const working: AlertSource = { name: 'working', find: () => Promise.resolve([busUnavailable]) }

    // Regression: no alert was sent any more.
    it('sends the alerts of other sources, and reports the deadline', { timeout: 10_000 }, async () => {
      const errors: unknown[] = []
      const { all, summary } = openAlerts({
        ...{ sources: [hanging, working], checkMs: 20, holdMs: 0 },
        onError: (name, error) => errors.push([name, (error as { code?: string }).code]),
      })
      await all[0]!.check()
      expect(summary()).toEqual(['bus_unavailable firing'])
      expect(errors).toEqual([['hanging', 'ALERT_SOURCE_TIMEOUT']])
      expect(signals.at(-1)?.reason).toMatchObject({ code: 'ALERT_SOURCE_TIMEOUT' })
    })

    it('stops at once, without an error', { timeout: 10_000 }, async () => {
      const store = createMemoryAlertStore()
      const { all, errors } = openAlerts({ store, sources: [hanging], checkMs: 3_600_000 })
      const before = signals.length
      all[0]!.start()
      await expect.poll(() => signals).toHaveLength(before + 1)
      await all[0]!.stop()
      expect([signals.at(-1)?.aborted, errors]).toEqual([true, []])
      expect(await store.claim('another process', 1)).toEqual([])
    })
  })

  it('sends later to a target that hangs, and reports the deadline', { timeout: 10_000 }, async () => {
    const codes: unknown[] = []
    let isHanging = true
    const attempts: string[] = []
    const { all, state } = openAlerts({
      ...{ checkMs: 20, holdMs: 0 },
      onError: (_, error) => codes.push((error as { code?: string }).code),
      targets: [
        {
          name: 'slack',
          send({ messageId }) {
            attempts.push(messageId)
            return isHanging ? new Promise(() => undefined) : Promise.resolve()
          },
        },
      ],
    })
    state.findings = [busUnavailable]
    await all[0]!.check()
    isHanging = false
    state.at += 60 * second
    await all[0]!.check()
    await all[0]!.check()
    expect(codes).toEqual(['ALERT_TARGET_TIMEOUT'])
    expect([attempts.length, new Set(attempts).size]).toEqual([2, 1])
  })

  it('sends later to a target that fails, with a growing pause', async () => {
    const { state, errors, sent, pass, summary } = openAlerts()
    state.findings = [busUnavailable]
    state.isDown = true
    await pass(60 * 60 * second)
    expect(errors.length).toBeGreaterThan(5)
    expect(errors.length).toBeLessThan(15)
    state.isDown = false
    await pass(15 * 60 * second)
    expect(summary()).toEqual(['bus_unavailable firing'])
    state.findings = []
    await pass(60 * second)
    expect(sent).toMatchObject([{ status: 'firing' }, { status: 'resolved' }])
  })

  it('drops a message that a target refuses for good, and sends the next ones', async () => {
    const attempted: string[] = []
    const { state, pass } = openAlerts({
      targets: [
        {
          name: 'teams',
          send({ name }) {
            attempted.push(name)
            if (name !== 'bus_unavailable') return Promise.resolve()
            return Promise.reject(Object.assign(new Error('too large'), { retryable: false }))
          },
        },
      ],
    })
    state.findings = [busUnavailable, deadLetters(1)]
    await pass(10 * 60 * second)
    expect(attempted.toSorted()).toEqual(['bus_unavailable', 'dead_letters'])
  })

  it('sends the end alone to a target that was unavailable during the alert', async () => {
    const { state, pass, summary } = openAlerts()
    state.findings = [busUnavailable]
    state.isDown = true
    await pass(60 * second)
    state.findings = []
    await pass(60 * second)
    state.isDown = false
    await pass(15 * 60 * second)
    expect(summary()).toEqual(['bus_unavailable resolved'])
  })

  it('does not hold one target up by another', async () => {
    const received: string[] = []
    const { state, pass } = openAlerts({
      targets: [
        { name: 'slack', send: () => Promise.reject(new Error('unavailable')) },
        { name: 'operators', send: ({ status }) => Promise.resolve(void received.push(status)) },
      ],
    })
    state.findings = [busUnavailable]
    await pass(5 * 60 * second)
    expect(received).toEqual(['firing'])
  })

  it('sends each message once from several processes, and after the holder of the lease ends', async () => {
    const now = () => clock.at
    const store = createMemoryAlertStore(() => now())
    const { all, state, pass, summary } = openAlerts({ store }, 3)
    const clock = state
    state.findings = [busUnavailable]
    await pass(60 * second)
    expect(summary()).toEqual(['bus_unavailable firing'])
    all.shift()
    await pass(5 * 60 * second)
    expect(summary()).toEqual(['bus_unavailable firing'])
    state.findings = []
    await pass(5 * 60 * second)
    expect(summary()).toEqual(['bus_unavailable firing', 'bus_unavailable resolved'])
  })

  it('forgets the end of an alert once its only target is removed', async () => {
    const clock = { at: Date.UTC(2026, 0) }
    const store = createMemoryAlertStore(() => clock.at)
    const { state, pass } = openAlerts({ store })
    state.findings = [busUnavailable]
    await pass(60 * second)
    state.findings = []
    state.isDown = true
    await pass(60 * second)
    clock.at += 60 * second
    expect(await store.claim('reader', 1)).toMatchObject([{ status: 'resolved', unsent: ['slack'] }])
    clock.at += 60 * second
    await openAlerts({ store, targets: [] }).all[0]!.check()
    clock.at += 60 * second
    expect(await store.claim('reader', 1)).toEqual([])
  })

  describe('with a slow target and a second process', () => {
    const providers = Array.from({ length: 20 }, (_, number) => `provider-${number}`)

    /** Sends one message per provider; `onSend` runs while the first process sends a message. */
    async function sendSlowly(onSend: (name: string, state: { at: number }, other: Alerts) => unknown) {
      const clock = { now: () => 0 }
      const received: string[] = []
      let isNested = false
      const target: AlertTarget = {
        name: 'slack',
        async send({ name }) {
          received.push(name)
          if (isNested) return
          isNested = true
          await onSend(name, state, all[1]!)
          isNested = false
        },
      }
      const options = { store: createMemoryAlertStore(() => clock.now()), holdMs: 0, targets: [target] }
      const { all, state, pass } = openAlerts(options, 2)
      clock.now = () => state.at
      state.findings = providers.map((name) => ({ ...busUnavailable, name }))
      await all[0]!.check()
      await pass(10 * 60 * second)
      return received.toSorted()
    }

    // Regression: the lease ended while the first process sent, and the second one sent all messages again.
    it('sends each message once', async () => {
      const received = await sendSlowly(async (_, state, other) => {
        state.at += 4 * second
        await other.check()
      })
      expect(received).toEqual(providers.toSorted())
    })

    it('repeats only the message that a frozen process was sending', async () => {
      const received = await sendSlowly(async (name, state, other) => {
        if (name !== 'provider-2') return
        state.at += 60 * 60 * second
        await other.check()
      })
      expect(received).toEqual([...providers, 'provider-2'].toSorted())
    })
  })

  it('alternates beginning and end for any history of conditions and outages', async () => {
    const step = fc.record({
      isFound: fc.boolean(),
      isDown: fc.boolean(),
      isBroken: fc.boolean(),
      checks: fc.integer({ min: 1, max: 6 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { state, sent, pass } = openAlerts()
        for (const { isFound, isDown, isBroken, checks } of steps) {
          state.findings = isBroken ? new Error('broken') : isFound ? [busUnavailable] : []
          state.isDown = isDown
          await pass(checks * 15 * second)
        }
        state.findings = []
        state.isDown = false
        await pass(60 * 60 * second)
        const statuses = Map.groupBy(sent, ({ id }) => id)
        for (const messages of statuses.values()) {
          const ends = messages.filter(({ status }) => status === 'resolved')
          expect([ends.length, messages.at(-1)?.status]).toEqual([1, 'resolved'])
          expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(messages.length)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('runs at the interval and lets another process take over at the stop', async () => {
    const store = createMemoryAlertStore()
    const [one, other] = openAlerts({ store, checkMs: 5, holdMs: 0, now: Date.now }, 2).all
    one!.start()
    await new Promise((resolve) => setTimeout(resolve, 20))
    await one!.stop()
    await other!.check()
    expect(await store.claim('a third process', 1000)).toBe(undefined)
  })

  it.each([
    ['checkMs', { checkMs: 0 }],
    ['holdMs', { holdMs: -1 }],
    ['targets', { targets: ['slack', 'slack'].map((name) => ({ name, send: () => Promise.resolve() })) }],
    ['sources', { sources: undefined as never }],
    ['sources[0].find', { sources: [{ name: 'inbox' } as never] }],
    ['sources[0].name', { sources: [{ find: () => Promise.resolve([]) } as never] }],
    ['targets', { targets: 'slack' as never }],
    ['targets[0].send', { targets: [{ name: 'slack', send: 'https://example.com' } as never] }],
    ['targets[1].send', { targets: [{ name: 'slack', send: () => Promise.resolve() }, null as never] }],
  ])('refuses an invalid %s', (name, options) => {
    const create = () => openAlerts(options)
    expect(create).toThrow(TypeError)
    expect(create).toThrow(name)
  })
})

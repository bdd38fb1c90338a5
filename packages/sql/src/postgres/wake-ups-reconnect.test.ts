import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createWakeUps, type Session } from './wake-ups.ts'

const quick = { intervalMs: 1, maximumBackoffMs: 5, heartbeatMs: 600_000 }
const soon = { timeout: 60_000 }
const noEnd = new Promise<never>(() => undefined)

/** Sessions in their order, each as a test wants it. */
function openWith(...sessions: readonly (Partial<Session> | Error)[]) {
  const onLost = vi.fn<(error: Error) => void>()
  const open = vi.fn<(hear: unknown) => Promise<Session>>()
  for (const one of sessions) {
    if (one instanceof Error) open.mockRejectedValueOnce(one)
    else open.mockResolvedValueOnce({ ended: noEnd, send: async () => {}, close: () => {}, ...one })
  }
  return { wakeUps: createWakeUps({ ...quick, open, onLost }), open, onLost }
}

describe('wake-ups', () => {
  it('resend topics that a broken session did not send, and report the loss once', async () => {
    const sent: string[] = []
    const { wakeUps, onLost } = openWith(
      { send: () => Promise.reject(new Error('broken')) },
      new Error('refused'),
      new Error('refused again'),
      {
        send: (topics) => {
          sent.push(...topics)
          return Promise.resolve()
        },
      },
    )
    wakeUps.notify('notify')
    await vi.waitFor(() => {
      expect(sent).toEqual(['notify'])
    }, soon)
    expect(onLost.mock.calls.flat().map(String)).toEqual(['Error: broken'])
    await wakeUps.close()
  })

  it('wait as little as the first time once a session has stood', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const lost = Promise.withResolvers<undefined>()
    const refused = new Error('refused')
    const { open, onLost } = openWith(...Array<Error>(5).fill(refused), { ended: lost.promise }, {})
    const wakeUps = createWakeUps({ open, onLost, random: () => 0.5 })
    wakeUps.listen(() => undefined)
    await vi.advanceTimersByTimeAsync(100 + 200 + 400 + 800 + 1600)
    expect(open).toHaveBeenCalledTimes(6)
    lost.resolve(undefined)
    await vi.advanceTimersByTimeAsync(99)
    expect(open).toHaveBeenCalledTimes(6)
    await vi.advanceTimersByTimeAsync(1)
    expect(open).toHaveBeenCalledTimes(7)
    await wakeUps.close()
  })

  it('keep a session when the one before it ends late', async () => {
    const late = Promise.withResolvers<undefined>()
    const send = vi.fn<Session['send']>(() => Promise.resolve())
    const close = vi.fn<() => void>()
    const broken = { ended: late.promise, send: () => Promise.reject(new Error('broken')) }
    const { wakeUps, open } = openWith(broken, { send, close })
    wakeUps.notify('publish')
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledOnce()
    }, soon)
    late.resolve(undefined)
    wakeUps.notify('publish')
    await vi.waitFor(() => {
      expect(send).toHaveBeenCalledTimes(2)
    }, soon)
    expect(close).not.toHaveBeenCalled()
    expect(open).toHaveBeenCalledTimes(2)
    await wakeUps.close()
    expect(close).toHaveBeenCalledOnce()
  })

  it('end while a message is under way, or a session is, which is closed when it comes', async () => {
    const sending = openWith({ send: () => noEnd })
    sending.wakeUps.notify('publish')
    await vi.waitFor(() => {
      expect(sending.open).toHaveBeenCalled()
    }, soon)
    await sending.wakeUps.close()

    const opening = Promise.withResolvers<Session>()
    const close = vi.fn<() => void>()
    const wakeUps = createWakeUps({ ...quick, open: () => opening.promise, onLost: () => undefined })
    wakeUps.listen(() => undefined)
    await wakeUps.close()
    opening.resolve({ ended: noEnd, send: () => noEnd, close })
    await vi.waitFor(() => {
      expect(close).toHaveBeenCalledOnce()
    }, soon)
  })

  it('continue when a listener or the loss callback throws', async () => {
    const heard = vi.fn<() => void>()
    const failing = (): never => {
      throw new Error('not ours')
    }
    const { wakeUps, onLost, open } = openWith(new Error('refused'), {})
    onLost.mockImplementation(failing)
    wakeUps.listen(failing)
    wakeUps.listen(heard)
    wakeUps.notify('publish')
    expect(heard).toHaveBeenCalledOnce()
    await vi.waitFor(() => {
      expect(open).toHaveBeenCalledTimes(2)
    }, soon)
    await wakeUps.close()
  })
})

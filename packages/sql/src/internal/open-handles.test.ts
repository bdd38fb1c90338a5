import type { CompleteInbox } from '@sallyport/webhooks'
import { expect, it, vi } from 'vitest'
import { OpenHandles } from './open-handles.ts'

/** An inbox that pings for as long as it is not closed. */
function getInbox() {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const ping = vi.fn(() => promise)
  const close = vi.fn(() => {
    resolve(undefined)
    return Promise.resolve()
  })
  return { ping, close, inbox: { ping, close } as unknown as CompleteInbox }
}

it('closes what does something, and has what comes late refused by what it is for', async () => {
  const handles = new OpenHandles()
  const [busy, idle] = [getInbox(), getInbox()]
  const pings = [1, 2].map(() => handles.track(busy.inbox).ping())
  const late = handles.track(idle.inbox)
  await handles.close()
  await Promise.all(pings)
  expect(busy.close).toHaveBeenCalled()
  // An unused inbox needs no close, so only inboxes with running calls are tracked.
  expect(idle.close).not.toHaveBeenCalled()
  await late.ping()
  expect(idle.close.mock.invocationCallOrder[0]).toBeLessThan(idle.ping.mock.invocationCallOrder[0] ?? 0)
})

it('does not close an inbox whose calls have ended', async () => {
  const handles = new OpenHandles()
  const { inbox, close } = getInbox()
  const kept = handles.track(inbox)
  const ping = kept.ping()
  await kept.close()
  await ping
  await handles.close()
  expect(close).toHaveBeenCalledOnce()
})

import type { Inbox } from '@sallyport/webhooks'
import { expect, it, vi } from 'vitest'
import { HandedOut } from './handed-out.ts'

function inboxOf() {
  const close = vi.fn<() => Promise<void>>(() => Promise.resolve())
  return { close, inbox: { close } as unknown as Inbox }
}

it('closes what nobody has closed, keeps nothing that somebody has, and lets nothing more in', async () => {
  const handedOut = new HandedOut()
  const [left, ended, late] = [inboxOf(), inboxOf(), inboxOf()]
  handedOut.keep(left.inbox)
  await handedOut.keep(ended.inbox).close()
  await handedOut.close()
  handedOut.keep(late.inbox)
  for (const { close } of [left, ended, late]) expect(close).toHaveBeenCalledOnce()
})

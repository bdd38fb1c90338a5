import { expect, it } from 'vitest'
import { untilAborted } from './until-aborted.ts'

// It once waited for ever: a signal that is aborted already tells nobody again.
it('does not wait when the signal is aborted already', async () => {
  const reason = new Error('of the signal')
  await expect(untilAborted(new Promise(() => undefined), AbortSignal.abort(reason))).rejects.toBe(reason)
})

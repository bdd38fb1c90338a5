import { emitterEventNames } from '@octokit/webhooks'
import { toKind } from '@sallyport/webhooks'
import { testService } from '@sallyport/webhooks/testing'
import { sign } from '@octokit/webhooks-methods'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { github } from './github.ts'
import samples from './github.samples.json' with { type: 'json' }

testService(runner, {
  provider: github,
  samples,
  sign: async ({ text, secret }) => ({ 'x-hub-signature-256': await sign(secret, text) }),
})

it('has a kind for every event name that octokit publishes', () => {
  expect(emitterEventNames.length).toBeGreaterThan(300)
  for (const name of emitterEventNames) expect(toKind(name)).toBe(name)
})

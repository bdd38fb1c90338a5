import { defineProvider, hmac } from '@sallyport/webhooks'
import { z } from 'zod'

/** The provider that snippets import from `./doorbell.ts`. */
export const doorbell = defineProvider({
  name: 'doorbell',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
  events: { 'bell.rung': z.object({ door: z.string() }) },
  normalize: () => [],
})

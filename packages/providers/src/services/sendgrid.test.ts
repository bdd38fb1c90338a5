import { testService } from '@sallyport/webhooks/testing'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { sendgrid } from './sendgrid.ts'
import samples from './sendgrid.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

testService(runner, {
  provider: sendgrid,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const key = createPrivateKey({ key: Buffer.from(secret, 'base64'), format: 'der', type: 'pkcs8' })
    const signature = sign('sha256', Buffer.from(time + text), key).toString('base64')
    return {
      'x-twilio-email-event-webhook-timestamp': time,
      'x-twilio-email-event-webhook-signature': signature,
    }
  },
  secret: pair.publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
  signingSecret: pair.privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
})

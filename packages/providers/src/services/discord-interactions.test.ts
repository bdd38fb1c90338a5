import { testService } from '@sallyport/webhooks/testing'
import { generateKeyPairSync, sign } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { discordInteractions } from './discord-interactions.ts'
import samples from './discord-interactions.samples.json' with { type: 'json' }

const pair = generateKeyPairSync('ed25519')
/** The raw keys are the ends of the encoded keys. */
const publicKey = pair.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex')
const privateKey = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32).toString('hex')

testService(runner, {
  provider: discordInteractions,
  samples,
  sign: ({ text, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = sign(null, Buffer.from(time + text), pair.privateKey).toString('hex')
    return { 'x-signature-timestamp': time, 'x-signature-ed25519': signature }
  },
  secret: publicKey,
  signingSecret: privateKey,
})

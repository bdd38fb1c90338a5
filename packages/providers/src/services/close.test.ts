import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { close } from './close.ts'
import samples from './close.samples.json' with { type: 'json' }

testService(runner, {
  provider: close,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(Math.floor(now / 1000))
    const signature = createHmac('sha256', Buffer.from(secret, 'hex')).update(`${time}${text}`).digest('hex')
    return { 'close-sig-timestamp': time, 'close-sig-hash': signature }
  },
  secret: '44782def547aaa06c910c43932b1eb0c71fc68d9d0c057550c48ec2acf6ba056',
})

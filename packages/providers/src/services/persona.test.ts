import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { persona } from './persona.ts'
import samples from './persona.samples.json' with { type: 'json' }

testService(runner, {
  provider: persona,
  samples,
  sign: ({ text, secret, now }) => {
    const time = Math.floor(now / 1000)
    const create = (key: string) => createHmac('sha256', key).update(`${time}.${text}`).digest('hex')
    return { 'persona-signature': `t=${time},v1=${create('wbhsec_old')} t=${time},v1=${create(secret)}` }
  },
})

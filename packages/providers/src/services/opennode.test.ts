import { testService } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { runner } from '../../test/runner.ts'
import { opennode } from './opennode.ts'
import samples from './opennode.samples.json' with { type: 'json' }

testService(runner, {
  provider: opennode,
  samples,
  sign: ({ text, secret }) => {
    const form = new URLSearchParams(text)
    form.set(
      'hashed_order',
      createHmac('sha256', secret)
        .update(form.get('id') ?? '')
        .digest('hex'),
    )
    return { headers: {}, body: Buffer.from(form.toString()) }
  },
})

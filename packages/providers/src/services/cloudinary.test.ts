import { testService } from '@sallyport/webhooks/testing'
import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { cloudinary } from './cloudinary.ts'
import samples from './cloudinary.samples.json' with { type: 'json' }

testService(runner, {
  provider: cloudinary,
  samples,
  sign: ({ text, secret, now }) => {
    const time = String(now / 1000)
    return {
      'x-cld-timestamp': time,
      'x-cld-signature': createHash('sha256')
        .update(text + time + secret)
        .digest('hex'),
    }
  },
})

it('verifies the example of the SDK', async () => {
  const headers = new Headers({
    'x-cld-signature': '6c5a29fd8815772fbac2f10ae741e093d0859313947ef8fadeb29126ded6649c',
    'x-cld-timestamp': '7952342400000',
  })
  const delivery = {
    method: 'POST',
    headers,
    body: Buffer.from(
      '{"public_id":"b8sjhoslj8cq8ovoa0ma","version":"1555337587","width":1000,"height":800}',
    ),
  }
  expect(await cloudinary.signature.verify(delivery, ['hardcoded'], 7_952_342_400_000_000)).toMatchObject({
    verified: true,
  })
})

import { expect, it } from 'vitest'
import { sharedToken } from './credentials.ts'

const signature = sharedToken({ header: 'x-token' })
const delivery = (token: string) => ({
  method: 'POST',
  headers: new Headers({ 'x-token': token }),
  body: new Uint8Array(0),
})

// With a name that no header has, it was made, and refused every true delivery.
it.each(['', 'x-token ', 'x-token:', 'x token'])('is not made with the header %j', (header) => {
  expect(() => sharedToken({ header })).toThrow(TypeError)
})

it('takes no secret that is no text for the text that it reads like', async () => {
  // Whoever sent the header `null` once was verified by a secret of null.
  for (const none of [null, undefined, NaN, 7]) {
    const secrets = [none as never, 's']
    expect(await signature.verify(delivery(String(none)), secrets, 0)).toMatchObject({ verified: false })
    expect(await signature.verify(delivery('s'), secrets, 0)).toMatchObject({ verified: true })
    expect(() => signature.sign(delivery(''), none as never, 0)).toThrow(TypeError)
  }
})

import { expect, it } from 'vitest'
import { describeWith } from '../../src/index.ts'

describeWith('nats', (nats) => {
  it('gets a name for its streams', () => {
    expect(nats().stream).toMatch(/^SALLYPORT_TEST_/)
  })
})

import { expect, it } from 'vitest'
import { describeWith } from '../../src/services/index.ts'

describeWith('nats', (nats) => {
  it('receives a prefix for its streams', () => {
    expect(nats().stream).toMatch(/^SALLYPORT_TEST_/)
  })
})

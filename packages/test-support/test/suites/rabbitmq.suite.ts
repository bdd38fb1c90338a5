import { expect, it } from 'vitest'
import { describeWith } from '../../src/services/index.ts'

describeWith('rabbitmq', (rabbitmq) => {
  it('receives names for its exchanges and queues', () => {
    expect(rabbitmq().freshName()).toMatch(/^sallyport-test-/)
  })
})

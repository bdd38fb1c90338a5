import type { Delivery } from '../ports/delivery.ts'

/**
 * Copies a delivery with other headers or another body, without a read of its address: the gateway tries other addresses for a
 * scheme that reads it.
 */
export function changeDelivery(
  delivery: Delivery,
  changes: Partial<Pick<Delivery, 'headers' | 'body'>>,
): Delivery {
  const { method, headers, body } = delivery
  const copy: Delivery = { method, headers, body }
  return Object.defineProperties(copy, {
    ...Object.getOwnPropertyDescriptors(delivery),
    ...Object.getOwnPropertyDescriptors(changes),
  })
}

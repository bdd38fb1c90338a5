import type { AnyProvider } from '../provider/provider.ts'

export const isDeliveryMethod = ({ methods = ['POST'] }: AnyProvider, method: string): boolean =>
  methods.some((one) => one === method)

/** Lists the methods of the deliveries and challenges of a provider. */
export const listMethods = ({ methods = ['POST'], handshake }: AnyProvider): readonly string[] => [
  ...new Set([...methods, ...(handshake?.methods ?? []), 'OPTIONS']),
]

import type { Channel, ChannelModel } from 'amqplib'

const notFound = 404

/** Uses an exchange as it is, and makes it when it is missing: durable, and for topics. */
export async function ensureExchange(connection: ChannelModel, exchange: string): Promise<void> {
  const isThere = await onChannel(connection, (channel) => channel.checkExchange(exchange)).then(
    () => true,
    (error: unknown) =>
      (error as { code?: unknown }).code === notFound ? false : Promise.reject(error as Error),
  )
  if (!isThere)
    await onChannel(connection, (channel) => channel.assertExchange(exchange, 'topic', { durable: true }))
}

/** Asks on a channel of its own: the server answers what it refuses by closing the channel. */
async function onChannel(
  connection: ChannelModel,
  ask: (channel: Channel) => Promise<unknown>,
): Promise<void> {
  const channel = await connection.createChannel()
  // Whoever asks is told too; without a listener, it would be an error of the whole process.
  channel.on('error', () => undefined)
  await ask(channel)
  await channel.close()
}

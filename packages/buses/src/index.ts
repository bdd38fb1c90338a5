/**
 * Buses and shared queues by their URLs. Each bus also has a separate entry, such as `@sallyport/buses/nats`.
 *
 * @module
 */
export { checkBusUrl, listBusUrls, openBus, openQueue, type BusUrlPurpose } from './urls/open.ts'
export { formatUrlOrigin, type BusOptions, type OpenedBus } from './urls/bus-url.ts'

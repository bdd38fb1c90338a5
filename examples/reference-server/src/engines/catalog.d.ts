import type { BusEngine, QueueEngine } from './engine.ts';
/** The buses by the scheme of `BUS_URL`. A new bus is a file in this folder and a line here. */
export declare const buses: Readonly<Record<string, BusEngine>>;
/** The queues of deliveries by the scheme of `INBOUND_QUEUE_URL`. */
export declare const inboundQueues: {
    'sqs+https:': BusEngine;
    'sqs+http:': BusEngine;
};
/** The shared queues by the scheme of `QUEUE_URL`. */
export declare const queues: Readonly<Record<string, QueueEngine>>;

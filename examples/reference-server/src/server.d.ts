import type { Config } from './config/config.ts';
import type { Logger } from './logging/log.ts';
export interface RunningServer {
    readonly port: number;
    /** The port of `/metrics`; undefined without metrics. */
    readonly metricsPort: number | undefined;
    /** Stops accepting requests, finishes running ones, settles events and closes all connections. */
    stop(): Promise<void>;
}
/** Starts the server that a configuration describes. */
export declare function startServer(config: Config, log: Logger): Promise<RunningServer>;

/** The JSON Schema (draft 7) of an event, as `InternalEvent` declares it. */
export declare const eventSchema: {
    type: string;
    description: string;
    required: string[];
    properties: {
        id: {
            type: string;
            description: string;
        };
        name: {
            type: string;
            description: string;
        };
        subject: {
            type: string;
            description: string;
        };
        ts: {
            type: string;
            description: string;
        };
        data: boolean;
        dataref: {
            type: string;
            format: string;
            description: string;
        };
        source: {
            type: string;
            required: string[];
            properties: {
                provider: {
                    type: string;
                };
                endpoint: {
                    type: string;
                    description: string;
                };
                deliveryId: {
                    type: string;
                };
                receivedAt: {
                    type: string;
                    description: string;
                };
                manual: {
                    type: string;
                    const: boolean;
                    description: string;
                };
            };
        };
        trace: {
            type: string;
            required: string[];
            properties: {
                traceparent: {
                    type: string;
                    description: string;
                };
                tracestate: {
                    type: string;
                };
            };
        };
    };
};
/**
 * The JSON Schema (draft 7) of an event as a CloudEvent.
 *
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/cloudevents.json
 */
export declare const cloudEventSchema: {
    type: string;
    description: string;
    required: string[];
    properties: {
        specversion: {
            type: string;
            const: string;
        };
        id: {
            type: string;
            minLength: number;
            description: string;
        };
        source: {
            type: string;
            format: string;
            description: string;
        };
        type: {
            type: string;
            description: string;
        };
        subject: {
            type: string;
            minLength: number;
            description: string;
        };
        time: {
            type: string;
            format: string;
            description: string;
        };
        datacontenttype: {
            type: string;
            const: string;
        };
        data: boolean;
        dataref: {
            type: string;
            format: string;
            description: string;
        };
        manual: {
            type: string;
            const: boolean;
            description: string;
        };
        traceparent: {
            type: string;
            description: string;
        };
        tracestate: {
            type: string;
        };
    };
};

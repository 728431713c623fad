import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Spans } from '../../database/client/spans.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { summaryOf } from './statement.ts'

export type Tracing = {
  spans: Spans
  /** Runs a request in a span, which continues the trace of the client's `traceparent`. `run` has to end it. */
  request<T>(method: string, header: (name: string) => string | undefined, run: (request: TracedRequest) => T): T
  /** Runs an operation in a span, if a request is running. */
  operation<T>(name: string, attributes: Attributes, run: () => T): T
  /** Notes what a request was, when it is answered. */
  requested: Metrics['requested']
  traceId(): string | undefined
  stop(): Promise<void>
}

export type TracedRequest = { traceId: string; end(): void }

const maximumText = 2_000
const failureLoggedEveryMs = 60_000

const requestKey = createContextKey('request')
const requestOf = (context: Context | undefined) => context?.getValue(requestKey) as Span | undefined

/**
 * OpenTelemetry traces, as OTLP over HTTP, configured by `OTEL_…`. Spans have no values: parameters, paths, documents
 * or messages.
 * @param onFailure called at most once a minute while spans cannot be sent
 */
export function createTracing(onFailure: (reason: string) => void): Tracing {
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'tributary' }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('tributary')
  const propagator = new W3CTraceContextPropagator()
  /** Our own, because the one of the API belongs to the whole process. */
  const contexts = new AsyncLocalStorage<Context>()
  reportFailures(onFailure)

  /** Runs in a child of the active span, and ends it when the result is there. */
  const inSpan = <T>(name: string, kind: SpanKind, attributes: Attributes, run: () => T): T => {
    const parent = contexts.getStore()
    // In a trace that is not sampled, no span is.
    if (!parent || !trace.getSpan(parent)?.isRecording()) return run()
    const span = tracer.startSpan(name, { kind, attributes }, parent)
    const fail = (error: unknown): never => {
      span.setAttribute('error.type', typeOf(error)).setStatus({ code: SpanStatusCode.ERROR }).end()
      throw error
    }
    try {
      const result = contexts.run(trace.setSpan(parent, span), run)
      if (!(result instanceof Promise)) {
        span.end()
        return result
      }
      return result.then((value: unknown) => {
        span.end()
        return value
      }, fail) as T
    } catch (error) {
      return fail(error)
    }
  }

  return {
    spans: {
      statement: (text, run) => {
        const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text.slice(0, maximumText) }
        return inSpan(summaryOf(text), SpanKind.CLIENT, attributes, run)
      },
      bind(run) {
        const context = contexts.getStore()
        return context ? (...args) => contexts.run(context, () => run(...args)) : run
      },
    },
    request(method, header, run) {
      const parent = propagator.extract(ROOT_CONTEXT, header, { get: (carrier, name) => carrier(name), keys: () => [] })
      const span = tracer.startSpan(
        method,
        { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
        parent,
      )
      const context = trace.setSpan(parent, span).setValue(requestKey, span)
      return contexts.run(context, () => run({ traceId: span.spanContext().traceId, end: () => span.end() }))
    },
    operation: (name, attributes, run) => inSpan(name, SpanKind.INTERNAL, attributes, run),
    requested({ method, route, status }) {
      const span = requestOf(contexts.getStore())
      span?.updateName(`${method} ${route}`).setAttributes({ 'http.route': route, 'http.response.status_code': status })
      if (status >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    },
    traceId: () => requestOf(contexts.getStore())?.spanContext().traceId,
    stop: () => provider.shutdown(),
  }
}

/** A code, such as that of PostgreSQL or of an error of ours, or the class. A message could repeat values. */
const typeOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'Error').slice(0, 100)
}

/** The handler of OpenTelemetry is one for the process. */
function reportFailures(onFailure: (reason: string) => void): void {
  let lastAt = Number.NEGATIVE_INFINITY
  setGlobalErrorHandler((error) => {
    if (performance.now() - lastAt < failureLoggedEveryMs) return
    lastAt = performance.now()
    onFailure(typeof error === 'string' ? error : ((error as Error).message ?? 'unknown'))
  })
}

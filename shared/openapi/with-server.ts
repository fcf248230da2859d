export type OpenApiDocument = Readonly<Record<string, unknown>>;

/** The document as a running service answers it. @param baseUrl without a slash at its end */
export function withServer(document: OpenApiDocument, baseUrl: string): OpenApiDocument {
  return { ...document, servers: [{ url: baseUrl }] };
}

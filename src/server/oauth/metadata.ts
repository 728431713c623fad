import { resourceOf, scopes } from '../../modules/people/connected-apps/request.ts'

export const resourceMetadataPath = '/.well-known/oauth-protected-resource'

/** What says where tokens for `/mcp` are issued (RFC 9728). */
export const resourceMetadata = (publicUrl: string) => ({
  resource: resourceOf(publicUrl),
  resource_name: 'Tributary',
  authorization_servers: [publicUrl],
  scopes_supported: scopes,
  bearer_methods_supported: ['header'],
  resource_documentation: `${publicUrl}/docs`,
})

/** How tokens are issued (RFC 8414). */
export const serverMetadata = (publicUrl: string) => ({
  issuer: publicUrl,
  authorization_endpoint: `${publicUrl}/dashboard/connect`,
  token_endpoint: `${publicUrl}/oauth/token`,
  registration_endpoint: `${publicUrl}/oauth/register`,
  revocation_endpoint: `${publicUrl}/oauth/revoke`,
  scopes_supported: scopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  code_challenge_methods_supported: ['S256'],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
})

/** The part of a challenge that leads a client from a 401 to its tokens. */
export const challengeOf = (publicUrl: string) =>
  `resource_metadata="${publicUrl}${resourceMetadataPath}/mcp", scope="${scopes.join(' ')}"`

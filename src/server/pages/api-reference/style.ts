/** Styles on top of Swagger UI's own, with the colours of /look/style.css. */
export const style = `html {
  overflow-y: scroll;
  scroll-padding-top: 64px;
}

.bar {
  position: sticky;
  top: 0;
  z-index: 10;
  padding-inline: max(20px, calc((100vw - 1420px) / 2));
}

.profiles {
  display: flex;
  gap: 20px;
  max-width: 1460px;
  margin: 16px auto 0;
  padding: 0 20px;
}

.profiles a {
  color: var(--accent);
}

.swagger-ui,
.swagger-ui :is(h1, h2, h3, h4, h5, p, a, table, td, th, label, button, input, select, li, div, span):not(code, pre, code *, pre *, .microlight *) {
  font-family: inherit;
}

html.dark-mode, html.dark-mode .swagger-ui {
  background: var(--background);
}

.swagger-ui :is(.markdown, .renderedMarkdown) code,
.swagger-ui :is(.markdown, .renderedMarkdown) pre {
  background: var(--hover);
  color: var(--text);
}

/* White text has a contrast of at least 4.5 on each. */
.swagger-ui .opblock.opblock .opblock-summary-method {
  color: #ffffff;
}

.swagger-ui .opblock.opblock-get .opblock-summary-method {
  background: #1f5fa8;
}

.swagger-ui .opblock.opblock-post .opblock-summary-method {
  background: #1b6b5a;
}

.swagger-ui .opblock.opblock-put .opblock-summary-method {
  background: #80580a;
}

.swagger-ui .opblock.opblock-delete .opblock-summary-method {
  background: #a5322a;
}

.swagger-ui :is(.parameter__in, .response-control-media-type__accept-message, .response-control-media-type__accept-message code) {
  color: var(--quiet);
}

.swagger-ui .headers .header-col {
  color: var(--text);
}

.swagger-ui table.responses-table {
  table-layout: fixed;
}

.swagger-ui .responses-table > thead .response-col_status {
  width: 72px;
}

.swagger-ui .responses-table td {
  overflow-wrap: anywhere;
}

.swagger-ui :is(select, input, textarea, pre) {
  max-width: 100%;
  min-width: 0;
}

.swagger-ui .btn.authorize {
  border-color: var(--accent);
  color: var(--accent);
}

.swagger-ui .btn.authorize svg {
  fill: var(--accent);
}

html.dark-mode .swagger-ui .scheme-container {
  background: var(--paper);
  box-shadow: none;
}

.swagger-ui .info {
  margin: 32px 0;
}

.swagger-ui .info .title {
  color: var(--text);
  font-family: inherit;
}

.swagger-ui .info a {
  color: var(--accent);
}

.swagger-ui .info .markdown {
  max-width: 80ch;
}

/* The version of the service is in the log and in the dashboard. */
.swagger-ui .info .title small,
.swagger-ui .info__contact,
.swagger-ui .info__license,
.swagger-ui .response-col_links {
  display: none;
}

.swagger-ui .scheme-container {
  border: 1px solid var(--line);
  border-width: 1px 0;
  box-shadow: none;
}
`

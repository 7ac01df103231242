{{/* An egress rule for a port and peers. Without peers it would admit every destination; the schema refuses that. */}}
{{- define "cityguide.egress" -}}
- ports:
    - protocol: TCP
      port: {{ .port }}
  to:
    {{- toYaml .to | nindent 4 }}
{{- end }}

{{- define "cityguide.dnsEgress" -}}
- ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
  to:
    {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
{{- end }}

import com.google.api.client.http.HttpRequestInitializer;
import com.google.api.client.http.HttpResponseException;
import com.google.api.client.http.HttpTransport;
import com.google.api.client.http.javanet.NetHttpTransport;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;

final class Gateway {
  private static final String GOOGLE = "https://www.googleapis.com/";

  /** Sends every request to the gateway, as one connection; refuses every other address. */
  static HttpTransport transport(String baseUrl, String secretKey, String integration, String connectionId) {
    String proxy = baseUrl + "/proxy/";
    return new NetHttpTransport.Builder()
        .setConnectionFactory(asked -> {
          String address = asked.toString();
          if (address.startsWith(GOOGLE)) address = proxy + address.substring(GOOGLE.length());
          if (!address.startsWith(proxy)) throw new IOException("Not an address of the gateway: " + asked);
          HttpURLConnection connection = (HttpURLConnection) new URL(address).openConnection();
          connection.setRequestProperty("Authorization", "Bearer " + secretKey);
          connection.setRequestProperty("Provider-Config-Key", integration);
          connection.setRequestProperty("Connection-Id", connectionId);
          return connection;
        })
        .build();
  }

  /** Sends bodies with their length, and keeps errors of the gateway apart from Google's. */
  static final HttpRequestInitializer INITIALIZER = request -> {
    request.setInterceptor(sent -> sent.setEncoding(null));
    request.setResponseInterceptor(response -> {
      if (response.getHeaders().getFirstHeaderStringValue("x-gateway-error") != null) {
        throw new HttpResponseException(response);
      }
    });
  };
}
